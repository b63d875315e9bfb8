-- What stands in for the services that a real program would call. Each of them keeps the key it was handed.
CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, user TEXT NOT NULL, key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS emails (id INTEGER PRIMARY KEY, recipient TEXT NOT NULL, subject TEXT NOT NULL, key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS services (name TEXT PRIMARY KEY, version TEXT NOT NULL);
