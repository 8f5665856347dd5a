import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('cells are quoted where they need it', () => {
  assert.equal(csvLine(['a', 1, true, undefined, 'b,c', 'say "d"', 'e\nf']), 'a,1,true,,"b,c","say ""d""","e\nf"\r\n');
});

test('a text that a table would take for a formula is text, and a number stays one', () => {
  assert.equal(csvLine(['=1+1', '+1', '-1', '@a', -1]), "'=1+1,'+1,'-1,'@a,-1\r\n");
});
