/** Every test that MiniJinja 2.11 knows as `minijinja-js` packages it, each tried there. */
import { type Builtin, builtin, tableOf } from './builtins.ts';

const yes = (test: string): readonly [string, string] => [`{{ ${test} }}`, 'true'];
/** Only a string can name these: `select("==", 1)`. */
const BY_STRING = 'Only where a string names it, as in `select`.';
const symbol = (name: string, same: string, items: string) =>
  builtin(name, 'other', `The same as \`${same}\`.`, [`{{ [1, 2] | select("${name}", 2) | list }}`, items], BY_STRING);

export const TESTS: ReadonlyMap<string, Builtin> = tableOf([
  builtin('boolean', '', 'True or false, and nothing else.', yes('true is boolean')),
  builtin(
    'defined',
    '',
    'The value is defined. Never fails, not even with strict undefined values.',
    yes('1 is defined'),
  ),
  builtin('divisibleby', 'divisor', 'A number that another divides without remainder.', yes('4 is divisibleby 2')),
  builtin('endingwith', 'text', 'A text that ends with another.', yes('"abc" is endingwith("c")')),
  builtin('eq', 'other', 'Equal, as `==`.', yes('1 is eq 1')),
  builtin('equalto', 'other', 'The same as `eq`.', yes('1 is equalto 1')),
  builtin('escaped', '', 'The same as `safe`.', yes('"a" | safe is escaped')),
  builtin('even', '', 'An even whole number.', yes('2 is even')),
  builtin('false', '', 'Exactly `false`.', yes('false is false')),
  builtin('filter', '', 'A text that names a filter.', yes('"upper" is filter')),
  builtin('float', '', 'A number with decimals.', yes('1.0 is float')),
  builtin('ge', 'other', 'Greater or equal, as `>=`.', yes('2 is ge 2')),
  builtin('greaterthan', 'other', 'The same as `gt`.', yes('2 is greaterthan 1')),
  builtin('gt', 'other', 'Greater, as `>`.', yes('2 is gt 1')),
  builtin('in', 'container', 'Contained in a list, a map or a text, as the operator `in`.', yes('1 is in [1]')),
  builtin('int', '', 'The same as `integer`.', yes('1 is int')),
  builtin('integer', '', 'A whole number.', yes('1 is integer')),
  builtin('iterable', '', 'What a loop can go through: a list, a map or a text.', yes('[1] is iterable')),
  builtin('le', 'other', 'Less or equal, as `<=`.', yes('1 is le 1')),
  builtin('lessthan', 'other', 'The same as `lt`.', yes('1 is lessthan 2')),
  builtin('lower', '', 'A text in lower-case letters.', yes('"a" is lower')),
  builtin('lt', 'other', 'Less, as `<`.', yes('1 is lt 2')),
  builtin('mapping', '', 'A map.', yes('{} is mapping')),
  builtin('ne', 'other', 'Not equal, as `!=`.', yes('1 is ne 2')),
  builtin('none', '', 'Exactly `none`; an undefined value is not.', yes('none is none')),
  builtin('number', '', 'A number.', yes('1 is number')),
  builtin('odd', '', 'An odd whole number.', yes('1 is odd')),
  builtin('safe', '', 'A text that is marked as needing no escaping.', yes('"a" | safe is safe')),
  builtin('sameas', 'other', 'The very same value; two lists that are equal are not the same.', yes('1 is sameas 1')),
  builtin('sequence', '', 'A list.', yes('[1] is sequence')),
  builtin('startingwith', 'text', 'A text that starts with another.', yes('"abc" is startingwith("a")')),
  builtin('string', '', 'A text.', yes('"a" is string')),
  builtin('test', '', 'A text that names a test.', yes('"odd" is test')),
  builtin('true', '', 'Exactly `true`.', yes('true is true')),
  builtin(
    'undefined',
    '',
    'The value is not defined. Never fails, not even with strict undefined values.',
    yes('missing is undefined'),
  ),
  builtin('upper', '', 'A text in upper-case letters.', yes('"A" is upper')),
  symbol('==', 'eq', '[2]'),
  symbol('!=', 'ne', '[1]'),
  symbol('<', 'lt', '[1]'),
  symbol('<=', 'le', '[1, 2]'),
  symbol('>', 'gt', '[]'),
  symbol('>=', 'ge', '[2]'),
]);
