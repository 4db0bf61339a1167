CREATE TABLE `mcp_sign_ins` (
	`server` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`sealed` blob NOT NULL,
	`updated_at` integer NOT NULL
);
