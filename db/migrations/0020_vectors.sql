ALTER TABLE `memory_vectors` ADD `problem` text;--> statement-breakpoint
ALTER TABLE `passage_vectors` ADD `problem` text;--> statement-breakpoint
INSERT INTO `memory_vectors` (`n`, `model`, `vector`) SELECT `n`, '', x'' FROM `memories` WHERE `n` NOT IN (SELECT `n` FROM `memory_vectors`);
--> statement-breakpoint
INSERT INTO `passage_vectors` (`n`, `model`, `vector`) SELECT `n`, '', x'' FROM `passages` WHERE `n` NOT IN (SELECT `n` FROM `passage_vectors`);
--> statement-breakpoint
CREATE INDEX `memory_vectors_by_model` ON `memory_vectors` (`model`);--> statement-breakpoint
CREATE INDEX `passage_vectors_by_model` ON `passage_vectors` (`model`);--> statement-breakpoint
CREATE INDEX `memory_vectors_refused` ON `memory_vectors` (`n`) WHERE problem is not null;--> statement-breakpoint
CREATE INDEX `passage_vectors_refused` ON `passage_vectors` (`n`) WHERE problem is not null;--> statement-breakpoint
CREATE TRIGGER `memory_vectors_begin` AFTER INSERT ON `memories` BEGIN INSERT INTO `memory_vectors` (`n`, `model`, `vector`) VALUES (new.n, '', x''); END;
--> statement-breakpoint
CREATE TRIGGER `passage_vectors_begin` AFTER INSERT ON `passages` BEGIN INSERT INTO `passage_vectors` (`n`, `model`, `vector`) VALUES (new.n, '', x''); END;
--> statement-breakpoint
CREATE TRIGGER `memory_vectors_follow` AFTER UPDATE OF `text` ON `memories` BEGIN UPDATE `memory_vectors` SET `model` = '', `vector` = x'', `problem` = NULL WHERE `n` = new.n; END;
