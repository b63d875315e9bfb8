BEGIN TRANSACTION;
CREATE TABLE entries (
    -- The number of the newest grant. AUTOINCREMENT: no number is given twice, also when its row is gone.
    fence     INTEGER PRIMARY KEY AUTOINCREMENT,
    scope     TEXT NOT NULL,
    operation TEXT NOT NULL,
    key       TEXT NOT NULL,
    -- in_progress, complete, failed, in_doubt, expired; or forgotten, when only the fence and the trail are left.
    -- A lease that has run out is not written down.
    state     TEXT NOT NULL,
    -- Random, chosen by the writer. A row is replaced only if its version is the one that was read.
    version   INTEGER NOT NULL,
    claimed   TEXT NOT NULL,
    lease     TEXT NOT NULL,
    settled   TEXT,
    expires   TEXT,
    -- When a purge has to look at the row.
    due       TEXT,
    -- How many duplicates it has answered.
    replays   INTEGER NOT NULL,
    -- {"name":"value"}, searched through the table labels.
    labels    TEXT,
    -- Everything else, as JSON. Its last column, the result, may be large.
    document  TEXT NOT NULL,
    body      BLOB
) STRICT;
INSERT INTO "entries" VALUES(1,'default','request','req-001','complete',6009335498677468819,'2026-11-18T15:50:36.946047273Z 48961110971734 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:36.946047273Z 49021110971734 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:37.925284457Z 48962090208729 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:37.925284457Z','2126-10-25T15:50:37.925284457Z',0,'{"order":"7"}','{"v":1,"identity":"32ee732b1a1d4c7db4222ee69c5d8e49d0861bff82e2ef8a99e42aab27c02859","labels":{"order":"7"},"attempt_id":"0697f000242a4cedbc7a70d0f87686ea","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B226F72646572223A372C227374617465223A22706C61636564227D');
INSERT INTO "entries" VALUES(2,'default','request','plain','complete',-3041084189790898844,'2026-11-18T15:50:39.496278539Z 48963661202499 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:39.496278539Z 49023661202499 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:40.595442615Z 48964760367167 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:40.595442615Z','2126-10-25T15:50:40.595442615Z',0,NULL,'{"v":1,"attempt_id":"51c856a52e5a411c8228e7ba8351c0bc","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'5B312C6E756C6C2C227A77C3B66C66225D');
INSERT INTO "entries" VALUES(3,'default','request','id_04138dee67e1d1123f36667860232bac9d687908c29ab188e117443a8e3c9b8a','complete',2671665839290845536,'2026-11-18T15:50:41.617931040Z 48965782855542 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:41.617931040Z 49025782855542 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:42.937929586Z 48967102853612 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:42.937929586Z','2126-10-25T15:50:42.937929586Z',0,'{"id":"order für Ann"}','{"v":1,"labels":{"id":"order für Ann"},"attempt_id":"13759ce4dec342a58beeb457b2ae3edb","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'22646F6E6522');
INSERT INTO "entries" VALUES(4,'default','request','doubted','in_doubt',7880823728786595955,'2026-11-18T15:50:44.445124488Z 48968610047817 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:44.445124488Z 49028610047817 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:45.113363691Z 48969278287627 AAAAAAAAAAAAAAAAAAAAAA/4026531836',NULL,NULL,0,'{"order":"9"}','{"v":1,"identity":"2087861df6833cf008170578c74cc510aca13b37a80fd1624db7f99562dc1b90","labels":{"order":"9"},"attempt_id":"7fa37d1e5fa74e1da8257ad4017c1715","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"doubt":"the action ended with idem settle","ending":"doubtful","failure":"idem settle","message":"no answer"}',NULL);
INSERT INTO "entries" VALUES(5,'default','request','free','failed',-8400760255293293551,'2026-11-18T15:50:46.153805544Z 48970318732721 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:46.153805544Z 49030318732721 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:46.673043049Z 48970837966206 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:46.673043049Z','2126-10-25T15:50:46.673043049Z',0,'{"order":"10"}','{"v":1,"identity":"608c6082923027f2fd3a2957bfe1b938ba9d1039ce601219b617d28aceb8a16c","labels":{"order":"10"},"attempt_id":"cd926075a7f242a1b9f9c2bce308efa2","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"failed","failure":"idem settle","message":"the queue was full","keep":3153600000}',NULL);
INSERT INTO "entries" VALUES(6,'default','request','numbers','complete',2897996207062801730,'2026-11-18T15:50:47.108754712Z 48971273678303 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:47.108754712Z 49031273678303 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:47.750469706Z 48971915393363 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:47.750469706Z','2126-10-25T15:50:47.750469706Z',0,'{"amount":"99.99","big":"1152921504606846976","price":"1.50","tiny":"1E-9","when":"2026-01-01"}','{"v":1,"identity":"08d7f46ba9e484bfd45664f2043f0c4cae105f161fa1020ceca6980576d01b77","labels":{"amount":"99.99","big":"1152921504606846976","price":"1.50","tiny":"1E-9","when":"2026-01-01"},"attempt_id":"f456bf48d9bc43898f866db726f05b0a","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B22616D6F756E74223A39392E39392C22626967223A313135323932313530343630363834363937367D');
INSERT INTO "entries" VALUES(7,'default','request','id_2baeaf58221e99b363d358d4a59d584de9b7d2ab96877c81722d5478ac56669f','complete',-2688103932258573747,'2026-11-18T15:50:48.423630763Z 48972588554732 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:48.423630763Z 49032588554732 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:49.177989400Z 48973342913016 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:49.177989400Z','2126-10-25T15:50:49.177989400Z',0,'{"id":"without a result"}','{"v":1,"labels":{"id":"without a result"},"attempt_id":"c71063e0311e4335924fdc2740ee57e6","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","unavailable":"its result (object) has no JSON form: Object of type object is not JSON serializable","keep":3153600000}',NULL);
INSERT INTO "entries" VALUES(8,'default','request','idem_b919f2a5c91529787c89b95d645c27ff','complete',-7255975047135736820,'2026-11-18T15:50:50.820907905Z 48974985832284 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:50.820907905Z 49034985832284 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:52.090192063Z 48976255116351 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:52.090192063Z','2126-10-25T15:50:52.090192063Z',0,'{"cents":"4200","customer":"ann","function":"charge","note":""}','{"v":1,"identity":"a6c2271b78cb47a24ef0a01e23ed6c4efd458022aca4dcba4086df3685e41cfa","labels":{"cents":"4200","customer":"ann","function":"charge","note":""},"attempt_id":"39247b8a3c1f448ca20cd7311fd1a693","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B2263686172676564223A343230307D');
INSERT INTO "entries" VALUES(9,'default','request','idem_1e2946b4d732c10bf66ff56ff06b4242','complete',519709006430642373,'2026-11-18T15:50:53.888747416Z 48978053671705 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:53.888747416Z 49038053671705 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:54.644184182Z 48978809107667 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:54.644184182Z','2126-10-25T15:50:54.644184182Z',0,'{"cents":"4200","customer":"ann","function":"charge","note":"","when":"2026-01-02T03:04:05"}','{"v":1,"identity":"7cf22b944d2d80ffe8809d39132f89e8826d8af231df5986d704f887f6a91f90","labels":{"cents":"4200","customer":"ann","function":"charge","note":"","when":"2026-01-02T03:04:05"},"attempt_id":"dbc5daf24f95417daeb493737d0f53b4","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B2263686172676564223A343230307D');
INSERT INTO "entries" VALUES(10,'default','request','idem_9041eb0117d61fd0cc56cc5d6e79b967','complete',2025714294980172985,'2026-11-18T15:50:55.721734769Z 48979886657770 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:55.721734769Z 49039886657770 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:56.116477341Z 48980281400612 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:56.116477341Z','2126-10-25T15:50:56.116477341Z',0,'{"cents":"1","customer":"bob","function":"charge"}','{"v":1,"identity":"7639a3b9bf2799f56290dfcc7fa0a1ef1c6146ae4dd00f8ff7c3e47fcb049dc4","labels":{"cents":"1","customer":"bob","function":"charge"},"attempt_id":"9e107b5b32074e6ba905f715b363f091","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B2263686172676564223A317D');
INSERT INTO "entries" VALUES(11,'default','request','charge-cyd','complete',-7987003622004205923,'2026-11-18T15:50:56.615463440Z 48980780386974 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:56.615463440Z 49040780386974 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:57.222491665Z 48981387415002 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:57.222491665Z','2126-10-25T15:50:57.222491665Z',0,'{"cents":"5","customer":"cyd","function":"charge","note":""}','{"v":1,"identity":"dc6d19da59b5d426cc79b0d05613ae769ba37caf183874209ca9239abe9fcc8a","labels":{"cents":"5","customer":"cyd","function":"charge","note":""},"attempt_id":"bf3da1ea671a4332a353aa4717d9e190","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B2263686172676564223A357D');
INSERT INTO "entries" VALUES(12,'order-flow-abc123','send_email','idem_2f5c71cabd3a7249bac3f533b8118621','complete',-6576635958913117851,'2026-11-18T15:50:58.371669140Z 48982536593142 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:58.371669140Z 49042536593142 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:50:58.891686707Z 48983056609962 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:50:58.891686707Z','2126-10-25T15:50:58.891686707Z',0,'{"n":"1.5","to":"ann"}','{"v":1,"identity":"2f5c71cabd3a7249bac3f533b81186211256de980f53ae596a28776444746c37","labels":{"n":"1.5","to":"ann"},"attempt_id":"3e359708079b4e25b21317607be53d34","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B2273656E74223A22616E6E227D');
INSERT INTO "entries" VALUES(13,'default','execute_once','k','complete',-8651732079958704141,'2026-11-18T15:50:59.502889594Z 48983667815319 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:59.502889594Z 49043667815319 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:00.182260572Z 48984347184089 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:51:00.182260572Z','2126-10-25T15:51:00.182260572Z',0,NULL,'{"v":1,"attempt_id":"4614d78762f1404da5600d62940e06f9","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B22706C616E223A2270726F227D');
INSERT INTO "entries" VALUES(14,'default','webhook','evt_1','complete',-526009882596043520,'2026-11-18T15:51:00.628316875Z 48984793240687 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:52:00.628316875Z 49044793240687 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2026-11-18T15:51:01.291120369Z 48985456044083 AAAAAAAAAAAAAAAAAAAAAA/4026531836','2126-10-25T15:51:01.291120369Z','2126-10-25T15:51:01.291120369Z',0,NULL,'{"v":1,"attempt_id":"75c96f470e17408f9c5c348d53b8a149","owner":"ann@host pid 4242","host":"AAAAAAAAAAAAAAAAAAAAAA/4026531836","pid":4242,"start":4895877,"time_limit":300,"ending":"completed","media":"application/json","codec":"json","keep":3153600000}',X'7B2270726F636573736564223A747275657D');
CREATE TABLE labels (
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    fence INTEGER NOT NULL,
    PRIMARY KEY (name, value, fence)
) STRICT, WITHOUT ROWID;
INSERT INTO "labels" VALUES('amount','99.99',6);
INSERT INTO "labels" VALUES('big','1152921504606846976',6);
INSERT INTO "labels" VALUES('cents','1',10);
INSERT INTO "labels" VALUES('cents','4200',8);
INSERT INTO "labels" VALUES('cents','4200',9);
INSERT INTO "labels" VALUES('cents','5',11);
INSERT INTO "labels" VALUES('customer','ann',8);
INSERT INTO "labels" VALUES('customer','ann',9);
INSERT INTO "labels" VALUES('customer','bob',10);
INSERT INTO "labels" VALUES('customer','cyd',11);
INSERT INTO "labels" VALUES('function','charge',8);
INSERT INTO "labels" VALUES('function','charge',9);
INSERT INTO "labels" VALUES('function','charge',10);
INSERT INTO "labels" VALUES('function','charge',11);
INSERT INTO "labels" VALUES('id','order für Ann',3);
INSERT INTO "labels" VALUES('id','without a result',7);
INSERT INTO "labels" VALUES('n','1.5',12);
INSERT INTO "labels" VALUES('note','',8);
INSERT INTO "labels" VALUES('note','',9);
INSERT INTO "labels" VALUES('note','',11);
INSERT INTO "labels" VALUES('order','10',5);
INSERT INTO "labels" VALUES('order','7',1);
INSERT INTO "labels" VALUES('order','9',4);
INSERT INTO "labels" VALUES('price','1.50',6);
INSERT INTO "labels" VALUES('tiny','1E-9',6);
INSERT INTO "labels" VALUES('to','ann',12);
INSERT INTO "labels" VALUES('when','2026-01-01',6);
INSERT INTO "labels" VALUES('when','2026-01-02T03:04:05',9);
CREATE TABLE migration ( version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied TEXT NOT NULL) STRICT;
INSERT INTO "migration" VALUES(1,'001-entries.sql','1a800561d8034e9283ee8f25087741802bca26f9300c9f6a07875cd24bf8cdee','2026-11-18T15:50:36.158543939Z');
CREATE UNIQUE INDEX entries_address ON entries (key, operation, scope);
CREATE INDEX entries_due ON entries (due) WHERE due IS NOT NULL;
CREATE TRIGGER labels_of_inserted AFTER INSERT ON entries WHEN new.labels IS NOT NULL BEGIN
    INSERT INTO labels (name, value, fence) SELECT key, value, new.fence FROM json_each(new.labels);
END;
CREATE TRIGGER labels_of_deleted AFTER DELETE ON entries WHEN old.labels IS NOT NULL BEGIN
    DELETE FROM labels
    WHERE (name, value, fence) IN (SELECT key, value, old.fence FROM json_each(old.labels));
END;
CREATE TRIGGER labels_of_updated AFTER UPDATE OF labels ON entries WHEN old.labels IS NOT new.labels BEGIN
    DELETE FROM labels
    WHERE (name, value, fence) IN (SELECT key, value, old.fence FROM json_each(old.labels));
    INSERT INTO labels (name, value, fence) SELECT key, value, new.fence FROM json_each(new.labels);
END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('entries',14);
COMMIT;
PRAGMA application_id = 1231316333;
PRAGMA user_version = 1;
