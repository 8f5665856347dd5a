#!/usr/bin/env node
// The command name of @adguard/hostlist-compiler, for existing scripts.
process.argv.splice(2, 0, 'compile');
await import('./weir.js');
