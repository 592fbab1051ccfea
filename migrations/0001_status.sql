CREATE TABLE `cron_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`succeeded_at` integer,
	`failed_at` integer
);
--> statement-breakpoint
CREATE TABLE `operation_counts` (
	`day` text NOT NULL,
	`counter` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `counter`)
);
--> statement-breakpoint
CREATE TABLE `status_checks` (
	`component` text NOT NULL,
	`at` integer NOT NULL,
	`successful` integer NOT NULL,
	`latency_ms` integer,
	PRIMARY KEY(`component`, `at`),
	CONSTRAINT "status_checks_component" CHECK("status_checks"."component" in ('database', 'key_store', 'queue'))
);
--> statement-breakpoint
CREATE INDEX `status_checks_failed` ON `status_checks` (`component`,`at`) WHERE "status_checks"."successful" = 0;--> statement-breakpoint
CREATE TABLE `status_days` (
	`component` text NOT NULL,
	`day` text NOT NULL,
	`checks` integer NOT NULL,
	`successful` integer NOT NULL,
	PRIMARY KEY(`component`, `day`),
	CONSTRAINT "status_days_component" CHECK("status_days"."component" in ('database', 'key_store', 'queue'))
);
