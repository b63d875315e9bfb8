-- A ledger as format 1 wrote it, with an entry of every kind. Never changed: it stands for the files that people have.
PRAGMA application_id = 1231316333;
PRAGMA user_version = 1;
CREATE TABLE entry (
    fence     INTEGER PRIMARY KEY,
    key       TEXT NOT NULL,
    operation TEXT NOT NULL,
    scope     TEXT NOT NULL,
    -- in_progress, complete, failed, in_doubt or expired; as it was written, not as it may have lapsed since.
    state     TEXT NOT NULL,
    replays   INTEGER NOT NULL,
    claimed   INTEGER NOT NULL,
    -- When a purge has something to do with the entry next: when it expires, or its tombstone; the end of time for never.
    due       INTEGER NOT NULL,
    -- A JSON array: who was granted it, what for, and for how long.
    attempt   TEXT NOT NULL,
    -- A JSON array: how it ended; null while it has not.
    outcome   TEXT,
    -- May be large, and so comes last.
    body      BLOB
) STRICT;
INSERT INTO "entry" VALUES(1,'complete','charge','shop','complete',2,1772366401123456,1772971201373456,'["000000000000a77e0000000000000001","pid 17","host-1",17,1234,1772366431123456,"boot-1",3631000000000,1772366701123456,3901000000000,null,0,1,"granted","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0",null,null,null,null,"[\"shop\",\"checkout\",\"order-1\"]","{\"città\":\"Zürich\",\"customer\":\"cus_1\"}"]','[1772366401373456,1772971201373456,"complete","completed",604800000000,0,"created","application/json","json","identity"]',X'7B2272656365697074223A22722D3120C3A9227D');
INSERT INTO "entry" VALUES(2,'gzip','charge','shop','complete',0,1772366402373456,1772971202623456,'["000000000000a77e0000000000000004","pid 17","host-1",17,1234,1772366432373456,"boot-1",3632250000000,1772366702373456,3902250000000,null,0,1,"granted","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0"]','[1772366402623456,1772971202623456,"complete","completed",604800000000,2592000000000,"noop","text/plain","text","gzip"]',X'1F8B00FF');
INSERT INTO "entry" VALUES(3,'unavailable','charge','shop','complete',0,1772366403623456,1772971203873456,'["000000000000a77e0000000000000005","pid 17","host-1",17,1234,1772366433623456,"boot-1",3633500000000,1772366703623456,3903500000000,null,0,1,"granted","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0"]','[1772366403873456,1772971203873456,"complete","completed",604800000000,2592000000000,"deleted",null,null,null,"it has 20 MiB"]',NULL);
INSERT INTO "entry" VALUES(4,'kept-failure','charge','shop','failed',0,1772366404873456,1772971205123456,'["000000000000a77e0000000000000006","pid 17","host-1",17,1234,1772366434873456,"boot-1",3634750000000,1772366704873456,3904750000000,null,0,1,"granted","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0"]','[1772366405123456,1772971205123456,"failed","failed",604800000000,0,null,null,null,null,null,1,"java.io.IOException","refused \"here\"\n"]',NULL);
INSERT INTO "entry" VALUES(5,'not-executed','charge','shop','failed',0,1772366406123456,1772971206373456,'["000000000000a77e0000000000000007","pid 17","host-1",17,1234,1772366436123456,"boot-1",3636000000000,1772366706123456,3906000000000,null,0,1,"granted","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0"]','[1772366406373456,1772971206373456,"failed","not_executed",604800000000,0,null,null,null,null,"the bank knows of none"]',NULL);
INSERT INTO "entry" VALUES(6,'in-doubt','charge','shop','in_doubt',0,1772366407373456,9223372036854775807,'["000000000000a77e0000000000000008","pid 17","host-1",17,1234,1772366437373456,"boot-1",3637250000000,1772366707373456,3907250000000,null,1,1,null,"1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0",null,null,null,3,null,null,"[{\"name\":\"charging\"},{\"name\":\"started\",\"host\":\"host-1\",\"pid\":18,\"start\":5678}]","the action ended with java.net.SocketTimeoutException",1772366407623456]','[1772366407623456,null,"in_doubt","doubtful",null,null,null,null,null,null,null,null,"java.net.SocketTimeoutException",""]',NULL);
INSERT INTO "entry" VALUES(8,'probing','charge','shop','in_progress',0,1772366769873456,9223372036854775807,'["000000000000a77e000000000000000a","pid 17","host-1",17,1234,1772366799873456,"boot-1",3999750000000,1772366708623456,3908500000000,null,0,1,"probing","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0",1772366408623456,7,7,2,null,null,null,"the action ended with Lost",1772366408873456]',NULL,NULL);
INSERT INTO "entry" VALUES(10,'expired','charge','shop','expired',0,1772366772123456,1774958773373456,'["000000000000a77e000000000000000c","pid 17","host-1",17,1234,1772366802123456,"boot-1",4002000000000,1772367072123456,4272000000000,null,0,1,"granted","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0"]','[1772366772373456,1772366773373456,"complete","completed",1000000,2592000000000,"updated",null,null,null,"it has expired"]',NULL);
INSERT INTO "entry" VALUES(11,'in-progress','charge','shop','in_progress',0,1772366775373456,9223372036854775807,'["000000000000a77e000000000000000d","pid 17","host-1",17,1234,1772366895373456,"boot-1",4095250000000,1772367075373456,4275250000000,null,1,1,"granted","1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d","c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0"]',NULL,NULL);
CREATE TABLE failed (
    fence INTEGER PRIMARY KEY
) STRICT;
INSERT INTO "failed" VALUES(4);
INSERT INTO "failed" VALUES(5);
CREATE TABLE forgotten (
    key       TEXT NOT NULL,
    operation TEXT NOT NULL,
    scope     TEXT NOT NULL,
    origin    INTEGER NOT NULL,
    due       INTEGER NOT NULL,
    PRIMARY KEY (key, operation, scope, origin)
) STRICT, WITHOUT ROWID;
INSERT INTO "forgotten" VALUES('forgotten','charge','shop',9,1772971571123456);
CREATE TABLE label (
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    fence INTEGER NOT NULL,
    PRIMARY KEY (name, value, fence)
) STRICT, WITHOUT ROWID;
INSERT INTO "label" VALUES('città','Zürich',1);
INSERT INTO "label" VALUES('customer','cus_1',1);
CREATE TABLE ledger (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    -- The highest fence of all rows that were removed, also of those that a later grant has replaced. The high-water mark
    -- of the ledger is this or the highest fence of an entry, whichever is higher, so that a grant has no second table to
    -- write.
    fence INTEGER NOT NULL
) STRICT;
INSERT INTO "ledger" VALUES(1,9);
CREATE TABLE migration ( version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied TEXT NOT NULL) STRICT;
INSERT INTO "migration" VALUES(1,'001-entries.sql','c096278673e14bd4ea48e88ff6765d51dfceace3e7478495c1dab2dcaf4e8c79','2026-03-01T12:00:00.123456Z');
CREATE TABLE span (
    -- The fence, divided by 1024.
    number INTEGER PRIMARY KEY,
    -- None of its entries comes due before; the end of time for never.
    due    INTEGER NOT NULL,
    -- 0: none of its entries is in progress or in doubt, and none will be, since new grants have new fences.
    open   INTEGER NOT NULL
) STRICT;
INSERT INTO "span" VALUES(0,1772971201373456,1);
CREATE TABLE trail (
    origin INTEGER NOT NULL,
    line   INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    fence  INTEGER NOT NULL,
    event  TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (origin, line)
) STRICT, WITHOUT ROWID;
INSERT INTO "trail" VALUES(6,0,1772366407373456,6,'granted','pid 17, attempt 1');
INSERT INTO "trail" VALUES(6,1,1772366407373456,6,'marked','charging');
INSERT INTO "trail" VALUES(6,2,1772366407373456,6,'marked','started, pid 18');
INSERT INTO "trail" VALUES(7,0,1772366408623456,7,'granted','pid 17, attempt 1');
INSERT INTO "trail" VALUES(7,1,1772366408873456,7,'in_doubt','Lost');
INSERT INTO "trail" VALUES(9,0,1772366770873456,9,'granted','pid 17, attempt 1');
INSERT INTO "trail" VALUES(9,1,1772366771123456,9,'failed','X');
INSERT INTO "trail" VALUES(9,2,1772366771123456,9,'forgotten','was failed');
CREATE UNIQUE INDEX entry_address ON entry (key, operation, scope);
CREATE INDEX forgotten_due ON forgotten (due);
CREATE INDEX span_due ON span (due);
CREATE INDEX span_open ON span (number) WHERE open = 1;
CREATE VIEW entries AS SELECT
    fence, key, operation, scope, state, replays,
    ifnull(attempt ->> 16, claimed) AS created, claimed, outcome ->> 0 AS settled, outcome ->> 1 AS expires, due,
    attempt ->> 12 AS attempt, attempt ->> 0 AS attempt_id,
    attempt ->> 1 AS owner, attempt ->> 2 AS owner_host, attempt ->> 3 AS owner_pid, attempt ->> 4 AS owner_start,
    attempt ->> 5 AS lease_wall, attempt ->> 6 AS lease_boot, attempt ->> 7 AS lease_nanos,
    attempt ->> 8 AS limit_wall, ifnull(attempt ->> 10, attempt ->> 6) AS limit_boot, attempt ->> 9 AS limit_nanos,
    attempt ->> 11 AS staged,
    -- SHA-256 in hex.
    attempt ->> 14 AS identity, attempt ->> 15 AS content,
    -- The fence of the last attempt that was allowed to act.
    ifnull(attempt ->> 18, fence) AS acted,
    -- ["scope","operation","key"]
    attempt ->> 20 AS parent,
    -- {"name":"value"}; searched through the table label.
    attempt ->> 21 AS labels,
    -- [{"name":"charging"},{"name":"started","host":"…","pid":1,"start":2}]
    attempt ->> 22 AS marks,
    attempt ->> 23 AS doubt, attempt ->> 24 AS doubt_since,
    -- completed, failed, not_executed or doubtful.
    outcome ->> 3 AS outcome, outcome ->> 6 AS effect, outcome ->> 4 AS keep, outcome ->> 5 AS tombstone,
    -- Why a result is not there, or what shows that nothing was executed.
    outcome ->> 10 AS reason, ifnull(outcome ->> 11, 0) AS kept,
    outcome ->> 12 AS failure_type, outcome ->> 13 AS failure_message,
    outcome ->> 7 AS media_type, outcome ->> 8 AS codec, outcome ->> 9 AS encoding, body,
    -- The fence of the first grant, under which the trail is kept, how many lines were written to it, and how the newest
    -- attempt began and ended, where the trail does not tell it yet.
    ifnull(attempt ->> 17, fence) AS origin, ifnull(attempt ->> 19, 0) AS lines, attempt ->> 13 AS began,
    outcome ->> 2 AS ended
FROM entry;
