CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`mode` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revoked_at` integer,
	`last_used_at` integer,
	`synced_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "api_keys_mode" CHECK("api_keys"."mode" in ('test', 'live'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`,`mode`);--> statement-breakpoint
CREATE INDEX `api_keys_unsynced` ON `api_keys` (`updated_at`) WHERE "api_keys"."synced_at" is null or "api_keys"."synced_at" < "api_keys"."updated_at";--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `email_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`pending_name` text,
	`pending_password_hash` text,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "email_tokens_purpose" CHECK("email_tokens"."purpose" in ('verify_email', 'reset_password'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_tokens_hash_unique` ON `email_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `email_tokens_user` ON `email_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_tokens_expiry` ON `email_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_attempts` (
	`subject` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_attempts_expiry` ON `sign_in_attempts` (`window_ends_at`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`plan` text NOT NULL,
	`status` text NOT NULL,
	`started_at` integer NOT NULL,
	`expires_at` integer,
	`quota_notice` integer DEFAULT 0 NOT NULL,
	`expiry_notice_for` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "subscriptions_plan" CHECK("subscriptions"."plan" in ('trial', 'pro')),
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('active', 'ended'))
);
--> statement-breakpoint
CREATE INDEX `subscriptions_expiry` ON `subscriptions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `usage_daily` (
	`user_id` text NOT NULL,
	`mode` text NOT NULL,
	`day` text NOT NULL,
	`country_code` text NOT NULL,
	`outcome` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`user_id`, `mode`, `day`, `country_code`, `outcome`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "usage_daily_mode" CHECK("usage_daily"."mode" in ('test', 'live')),
	CONSTRAINT "usage_daily_outcome" CHECK("usage_daily"."outcome" in ('success', 'failure'))
);
--> statement-breakpoint
CREATE TABLE `usage_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`key_id` text NOT NULL,
	`mode` text NOT NULL,
	`day` text NOT NULL,
	`country_code` text NOT NULL,
	`outcome` text NOT NULL,
	`batch` text NOT NULL,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "usage_events_mode" CHECK("usage_events"."mode" in ('test', 'live')),
	CONSTRAINT "usage_events_outcome" CHECK("usage_events"."outcome" in ('success', 'failure'))
);
--> statement-breakpoint
CREATE INDEX `usage_events_user` ON `usage_events` (`user_id`);--> statement-breakpoint
CREATE INDEX `usage_events_received` ON `usage_events` (`received_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`verified_at` integer,
	`suspended_at` integer,
	`session_epoch` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "users_email_lower_case" CHECK("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);