-- answers  the time
return n
