PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_email_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text,
	`user_id` text,
	`purpose` text NOT NULL,
	`registration_id` text,
	`email` text,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "email_tokens_purpose" CHECK("__new_email_tokens"."purpose" in ('verify_email', 'reset_password', 'change_email', 'undo_email_change'))
);
--> statement-breakpoint
INSERT INTO `__new_email_tokens`("id", "hash", "user_id", "purpose", "registration_id", "email", "expires_at", "used_at") SELECT "id", "hash", "user_id", "purpose", "registration_id", "email", "expires_at", "used_at" FROM `email_tokens`;--> statement-breakpoint
DROP TABLE `email_tokens`;--> statement-breakpoint
ALTER TABLE `__new_email_tokens` RENAME TO `email_tokens`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `email_tokens_hash_unique` ON `email_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `email_tokens_user` ON `email_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_tokens_expiry` ON `email_tokens` (`expires_at`);