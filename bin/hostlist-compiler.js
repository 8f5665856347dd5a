#!/usr/bin/env node
// The name under which existing scripts know the compiler.
process.argv.splice(2, 0, 'compile');
await import('./weir.js');
