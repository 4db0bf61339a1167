CREATE TABLE `skill_files` (
	`hash` text NOT NULL,
	`path` text NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`hash`, `path`),
	FOREIGN KEY (`hash`) REFERENCES `skill_versions`(`hash`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `skill_versions` (
	`hash` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`facts` text NOT NULL,
	`imported_at` integer NOT NULL,
	FOREIGN KEY (`name`) REFERENCES `skills`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `skill_versions_by_name` ON `skill_versions` (`name`,`imported_at`);--> statement-breakpoint
CREATE TABLE `skills` (
	`name` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);