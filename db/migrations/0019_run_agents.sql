CREATE TABLE `run_agents` (
	`run_id` text NOT NULL,
	`key` text NOT NULL,
	`agent` text,
	`config_hash` text,
	`problem` text,
	PRIMARY KEY(`run_id`, `key`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`config_hash`) REFERENCES `configs`(`hash`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `run_agents_by_config` ON `run_agents` (`config_hash`);