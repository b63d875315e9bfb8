-- Format 2: what people search for.

-- Its rows stand in the order of their fences.
CREATE INDEX entries_scope ON entries (scope);

-- The few that are not complete, among many that are.
CREATE INDEX entries_open ON entries (state) WHERE state IN ('in_progress', 'in_doubt', 'failed');
