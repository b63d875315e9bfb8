-- A ledger as format 1 wrote it, with an entry of every kind. Never changed: it stands for the files that people have.
PRAGMA application_id = 1231316333;
PRAGMA user_version = 1;
CREATE TABLE entry (
    fence           INTEGER PRIMARY KEY,
    -- The fence of the first grant, under which the trail is kept, and how many lines were written to it.
    origin          INTEGER NOT NULL,
    lines           INTEGER NOT NULL,
    -- How the newest attempt began and ended, where the trail does not tell it yet.
    began           TEXT,
    ended           TEXT,
    key             TEXT NOT NULL,
    operation       TEXT NOT NULL,
    scope           TEXT NOT NULL,
    -- in_progress, complete, failed, in_doubt or expired; as it was written, not as it may have lapsed since.
    state           TEXT NOT NULL,
    attempt         INTEGER NOT NULL,
    replays         INTEGER NOT NULL,
    created         INTEGER NOT NULL,
    claimed         INTEGER NOT NULL,
    settled         INTEGER,
    expires         INTEGER,
    -- When a purge has something to do with the entry next; the end of time for never.
    due             INTEGER NOT NULL,
    -- SHA-256 in hex.
    identity        TEXT,
    content         TEXT,
    -- ["scope","operation","key"]
    parent          TEXT,
    -- {"name":"value"}; searched through the table label.
    labels          TEXT,
    attempt_id      TEXT NOT NULL,
    owner           TEXT NOT NULL,
    owner_host      TEXT,
    owner_pid       INTEGER,
    owner_start     INTEGER,
    lease_wall      INTEGER NOT NULL,
    lease_boot      TEXT NOT NULL,
    lease_nanos     INTEGER NOT NULL,
    -- The fence of the last attempt that was allowed to act.
    acted           INTEGER NOT NULL,
    limit_wall      INTEGER NOT NULL,
    limit_boot      TEXT NOT NULL,
    limit_nanos     INTEGER NOT NULL,
    staged          INTEGER NOT NULL,
    -- [{"name":"charging"},{"name":"started","host":"…","pid":1,"start":2}]
    marks           TEXT,
    doubt           TEXT,
    doubt_since     INTEGER,
    -- completed, failed, not_executed or doubtful.
    outcome         TEXT,
    effect          TEXT,
    kept            INTEGER,
    keep            INTEGER,
    tombstone       INTEGER,
    -- Why a result is not there, or what shows that nothing was executed.
    reason          TEXT,
    failure_type    TEXT,
    failure_message TEXT,
    media_type      TEXT,
    codec           TEXT,
    encoding        TEXT,
    body            BLOB
) STRICT;
INSERT INTO "entry" VALUES(1,1,0,'granted','complete','complete','charge','shop','complete',1,2,1772366401123456,1772366401123456,1772366401373456,1772971201373456,1772971201373456,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0','["shop","checkout","order-1"]','{"città":"Zürich","customer":"cus_1"}','000000000000a77e0000000000000001','pid 17','host-1',17,1234,1772366431123456,'boot-1',3631000000000,1,1772366701123456,'boot-1',3901000000000,0,NULL,NULL,NULL,'completed','created',0,604800000000,0,NULL,NULL,NULL,'application/json','json','identity',X'7B2272656365697074223A22722D3120C3A9227D');
INSERT INTO "entry" VALUES(2,2,0,'granted','complete','gzip','charge','shop','complete',1,0,1772366402373456,1772366402373456,1772366402623456,1772971202623456,1772971202623456,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e0000000000000004','pid 17','host-1',17,1234,1772366432373456,'boot-1',3632250000000,2,1772366702373456,'boot-1',3902250000000,0,NULL,NULL,NULL,'completed','noop',0,604800000000,2592000000000,NULL,NULL,NULL,'text/plain','text','gzip',X'1F8B00FF');
INSERT INTO "entry" VALUES(3,3,0,'granted','complete','unavailable','charge','shop','complete',1,0,1772366403623456,1772366403623456,1772366403873456,1772971203873456,1772971203873456,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e0000000000000005','pid 17','host-1',17,1234,1772366433623456,'boot-1',3633500000000,3,1772366703623456,'boot-1',3903500000000,0,NULL,NULL,NULL,'completed','deleted',0,604800000000,2592000000000,'it has 20 MiB',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "entry" VALUES(4,4,0,'granted','failed','kept-failure','charge','shop','failed',1,0,1772366404873456,1772366404873456,1772366405123456,1772971205123456,1772971205123456,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e0000000000000006','pid 17','host-1',17,1234,1772366434873456,'boot-1',3634750000000,4,1772366704873456,'boot-1',3904750000000,0,NULL,NULL,NULL,'failed',NULL,1,604800000000,0,NULL,'java.io.IOException','refused "here"
',NULL,NULL,NULL,NULL);
INSERT INTO "entry" VALUES(5,5,0,'granted','failed','not-executed','charge','shop','failed',1,0,1772366406123456,1772366406123456,1772366406373456,1772971206373456,1772971206373456,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e0000000000000007','pid 17','host-1',17,1234,1772366436123456,'boot-1',3636000000000,5,1772366706123456,'boot-1',3906000000000,0,NULL,NULL,NULL,'not_executed',NULL,0,604800000000,0,'the bank knows of none',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "entry" VALUES(6,6,3,NULL,'in_doubt','in-doubt','charge','shop','in_doubt',1,0,1772366407373456,1772366407373456,1772366407623456,NULL,9223372036854775807,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e0000000000000008','pid 17','host-1',17,1234,1772366437373456,'boot-1',3637250000000,6,1772366707373456,'boot-1',3907250000000,1,'[{"name":"charging"},{"name":"started","host":"host-1","pid":18,"start":5678}]','the action ended with java.net.SocketTimeoutException',1772366407623456,'doubtful',NULL,0,NULL,NULL,NULL,'java.net.SocketTimeoutException','',NULL,NULL,NULL,NULL);
INSERT INTO "entry" VALUES(8,7,2,'probing',NULL,'probing','charge','shop','in_progress',1,0,1772366408623456,1772366769873456,NULL,NULL,9223372036854775807,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e000000000000000a','pid 17','host-1',17,1234,1772366799873456,'boot-1',3999750000000,7,1772366708623456,'boot-1',3908500000000,0,NULL,'the action ended with Lost',1772366408873456,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "entry" VALUES(10,10,0,'granted','complete','expired','charge','shop','expired',1,0,1772366772123456,1772366772123456,1772366772373456,1772366773373456,1774958773373456,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e000000000000000c','pid 17','host-1',17,1234,1772366802123456,'boot-1',4002000000000,10,1772367072123456,'boot-1',4272000000000,0,NULL,NULL,NULL,'completed','updated',0,1000000,2592000000000,'it has expired',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "entry" VALUES(11,11,0,'granted',NULL,'in-progress','charge','shop','in_progress',1,0,1772366775373456,1772366775373456,NULL,NULL,9223372036854775807,'1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d','c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',NULL,NULL,'000000000000a77e000000000000000d','pid 17','host-1',17,1234,1772366895373456,'boot-1',4095250000000,11,1772367075373456,'boot-1',4275250000000,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
    -- The highest fence of all entries that were removed. The high-water mark of the ledger is this or the highest
    -- fence of an entry, whichever is higher, so that a grant has no second table to write.
    fence INTEGER NOT NULL
) STRICT;
INSERT INTO "ledger" VALUES(1,9);
CREATE TABLE migration ( version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied TEXT NOT NULL) STRICT;
INSERT INTO "migration" VALUES(1,'001-entries.sql','86557bb36a8b9711f70bffdf664c42ae89dc02ea3063eb3c30146728d9a35f64','2026-03-01T12:00:00.123456Z');
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
CREATE INDEX entry_failed ON entry (state) WHERE state = 'failed';
CREATE INDEX forgotten_due ON forgotten (due);
CREATE INDEX span_due ON span (due);
CREATE INDEX span_open ON span (number) WHERE open = 1;
