PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_status_checks` (
	`component` text NOT NULL,
	`at` integer NOT NULL,
	`successful` integer NOT NULL,
	`latency_ms` integer,
	`p95_ms` integer,
	PRIMARY KEY(`component`, `at`),
	CONSTRAINT "status_checks_component" CHECK("__new_status_checks"."component" in ('verification', 'database', 'key_store', 'queue'))
);
--> statement-breakpoint
INSERT INTO `__new_status_checks`("component", "at", "successful", "latency_ms", "p95_ms") SELECT "component", "at", "successful", "latency_ms", NULL FROM `status_checks`;--> statement-breakpoint
DROP TABLE `status_checks`;--> statement-breakpoint
ALTER TABLE `__new_status_checks` RENAME TO `status_checks`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `status_checks_failed` ON `status_checks` (`component`,`at`) WHERE "status_checks"."successful" = 0;--> statement-breakpoint
CREATE TABLE `__new_status_days` (
	`component` text NOT NULL,
	`day` text NOT NULL,
	`checks` integer NOT NULL,
	`successful` integer NOT NULL,
	PRIMARY KEY(`component`, `day`),
	CONSTRAINT "status_days_component" CHECK("__new_status_days"."component" in ('verification', 'database', 'key_store', 'queue'))
);
--> statement-breakpoint
INSERT INTO `__new_status_days`("component", "day", "checks", "successful") SELECT "component", "day", "checks", "successful" FROM `status_days`;--> statement-breakpoint
DROP TABLE `status_days`;--> statement-breakpoint
ALTER TABLE `__new_status_days` RENAME TO `status_days`;