CREATE TABLE `configs` (
	`hash` text PRIMARY KEY NOT NULL,
	`config` text NOT NULL,
	`origins` text NOT NULL
);
--> statement-breakpoint
INSERT OR IGNORE INTO `configs` (`hash`, `config`, `origins`) SELECT hash_of_start(`config`, `origins`), `config`, `origins` FROM `snapshots`;
--> statement-breakpoint
CREATE TABLE `__new_snapshots` (
	`run_id` text PRIMARY KEY NOT NULL,
	`config_hash` text NOT NULL,
	`history` text,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`config_hash`) REFERENCES `configs`(`hash`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_snapshots` (`run_id`, `config_hash`, `history`) SELECT `run_id`, hash_of_start(`config`, `origins`), `history` FROM `snapshots`;
--> statement-breakpoint
DROP TABLE `snapshots`;
--> statement-breakpoint
ALTER TABLE `__new_snapshots` RENAME TO `snapshots`;
--> statement-breakpoint
CREATE INDEX `snapshots_by_config` ON `snapshots` (`config_hash`);
--> statement-breakpoint
CREATE INDEX `agents_heads` ON `agents` (`name`,`id`,`title`,`description`,`config_hash`,`revision`,`created_at`,`updated_at`,`removed_at`) WHERE removed_at is null;
