-- Format 3: what people search for.
CREATE INDEX entries_scope ON {schema}.entries (scope, fence);
