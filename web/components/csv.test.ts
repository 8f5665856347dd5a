import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('cells are quoted if necessary', () => {
  assert.equal(csvLine(['a', 1, true, undefined, 'b,c', 'say "d"', 'e\nf']), 'a,1,true,,"b,c","say ""d""","e\nf"\r\n');
});

test('formulas become text, and numbers stay numbers', () => {
  assert.equal(csvLine(['=1+1', '+1', '-1', '@a', -1]), "'=1+1,'+1,'-1,'@a,-1\r\n");
});
