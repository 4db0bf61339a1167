CREATE TABLE `originals` (
	`run_id` text NOT NULL,
	`call_id` text NOT NULL,
	`source` text NOT NULL,
	`sealed` blob NOT NULL,
	PRIMARY KEY(`run_id`, `call_id`, `source`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
