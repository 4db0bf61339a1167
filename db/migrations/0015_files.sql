CREATE TABLE `file_descriptions` (
	`thread_id` text NOT NULL,
	`path` text NOT NULL,
	`description` text NOT NULL,
	PRIMARY KEY(`thread_id`, `path`),
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `artifacts` ADD `picture` text;