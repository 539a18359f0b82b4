-- The switches that are closed now, for whoever moves money, who then goes on to the end of its transaction: the shared
-- lock makes a switch that is being closed wait for those, and those that come later wait for it. Volatile, so that it
-- reads what was committed while it waited, and not as of the beginning of the statement that calls it.
CREATE FUNCTION closed_switches() RETURNS TABLE (name text, message text, until timestamptz)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7265331);
  RETURN QUERY SELECT s.name, s.message, s.until FROM switches s WHERE is_paused(s.message, s.until);
END $$;
