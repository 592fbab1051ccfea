CREATE TABLE `erased_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `previous_at` integer;