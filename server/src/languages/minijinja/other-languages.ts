/**
 * The words of Jinja2, Django, Liquid, Twig, Nunjucks, JavaScript and Python that MiniJinja 2.11 does not have, and the
 * words to write instead. A word is found in any spelling: `title_case`, `titleCase` and `titlecase` are the same.
 */

/** Returns a table whose lines are a replacement, a colon, and the words that it replaces. */
const tableOf = (...lines: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    lines.flatMap((line) => {
      const [right = '', words = ''] = line.split(/: (?=[\w ]+$)/);
      return words.split(' ').map((word) => [word, right] as const);
    }),
  );

const keyOf = (word: string): string => word.toLowerCase().replaceAll('_', '');

/** Filters, and functions of one value. The replacement is a filter, with its argument or with further filters. */
const FILTER_FOR = tableOf(
  'upper: uppercase upcase toupper touppercase strtoupper ucase',
  'lower: lowercase downcase tolower tolowercase strtolower lcase casefold',
  'title: titlecase totitle totitlecase ucwords titleize',
  'capitalize: capitalise capfirst ucfirst upperfirst sentencecase',
  'length: len size strlen',
  'trim: strip chomp strtrim',
  'tojson: json jsonencode jsonify dump stringify jsonstringify tojsonstring',
  'tojson(2): tonicejson toprettyjson jsonpretty prettyjson',
  'string: tostring str',
  'int: toint integer tointeger parseint',
  'float: tofloat number tonumber parsefloat decimal',
  'bool: tobool boolean',
  'unique: uniq distinct dedupe set',
  'sort: sorted sortby orderby sortnatural',
  'reverse: reversed',
  'escape: escapeonce htmlescape forceescape escapehtml htmlspecialchars',
  'striptags: striphtml removetags',
  'safe: raw marksafe',
  'lines: splitlines',
  'list: tolist array toarray makelist chars keys tuple',
  'items: dict2items entries pairs',
  'items | map("last"): values',
  'split | list | length: wordcount countwords numberofwords',
  'default: defaultvalue defaultifnone ifempty coalesce fallback',
  'select: compact',
  'chain: concat merge union',
  'round: floatformat numberformat tofixed',
  'join: implode',
  'split: explode',
  'sum: total',
  'max: maximum',
  'min: minimum',
  'abs: absolute fabs',
);

/** The advice about filters and functions that no filter replaces. */
const ADVICE_FOR = tableOf(
  'Join text with `~`, as in `a ~ b`.: append prepend strcat',
  'Write `a + b`.: add plus',
  'Write `a - b`.: minus subtract',
  'Write `a * b`.: times multiply multipliedby',
  'Write `a / b`.: divide dividedby',
  'Write `a % b`.: mod modulo',
  'Write `a ** b`.: pow power',
  'Write `value // 1`.: floor',
  'Write `-(-value // 1)`.: ceil',
  'Write `truncate(length=80)`.: truncatechars truncatewords shorten excerpt ellipsis',
  'Write `replace("old", "")`.: remove cut',
  'Write `a if condition else b`.: ternary yesno iif',
  'Write `map(attribute="name")`.: pluck column',
  'Write `selectattr("name", "eq", value)`.: where filterby',
  'Write `"part" in text`.: contains includes',
  'Write `loop.index0` in a loop.: enumerate',
  'Pass the text as an input.: date now strftime today datetime time',
  'The filter `trim` removes white space at both ends.: lstrip rstrip ltrim rtrim trimstart trimend',
);

const TEST_FOR = tableOf(
  'none: null nil nothing',
  'defined: present set exists exist given',
  'undefined: missing unset absent',
  'string: text str',
  'sequence: array list tuple',
  'mapping: dict map object dictionary',
  'boolean: bool',
  'number: num numeric',
  'integer: whole',
  'eq: equal equals same',
  'ne: notequal',
  'gt: greater larger',
  'lt: less smaller',
  'in: oneof memberof within',
  'startingwith: startswith beginswith beginningwith',
  'endingwith: endswith',
  'divisibleby: divisible multipleof',
  'upper: uppercase',
  'lower: lowercase',
);

/** Tests that the truth of the value replaces: `false` for `x is empty`, which is `not x`. */
const TRUTH_FOR: ReadonlyMap<string, boolean> = new Map([
  ['empty', false],
  ['blank', false],
  ['falsy', false],
  ['nonempty', true],
  ['notempty', true],
  ['truthy', true],
]);

/** Functions that are a test of their argument. */
const TEST_FOR_FUNCTION = tableOf('defined: isset isdefined defined exists', 'undefined: isundefined');

const NAME_FOR: ReadonlyMap<string, string> = new Map([
  ['null', 'none'],
  ['Null', 'none'],
  ['NULL', 'none'],
  ['nil', 'none'],
  ['NONE', 'none'],
  ['TRUE', 'true'],
  ['FALSE', 'false'],
  ['forloop', 'loop'],
]);

/** Returns the filter to write instead of an unknown filter or function, as in `split | list | length`. */
export const filterInstead = (name: string): string | undefined => FILTER_FOR.get(keyOf(name));

/** Returns the sentence about an unknown filter or function that no filter replaces. */
export const adviceInstead = (name: string): string | undefined => ADVICE_FOR.get(keyOf(name));

/** Returns the test to write instead of an unknown test. */
export const testInstead = (name: string): string | undefined => TEST_FOR.get(keyOf(name));

/** Returns whether the value itself (`true`) or `not` with the value replaces an unknown test. */
export const truthInstead = (name: string): boolean | undefined => TRUTH_FOR.get(keyOf(name));

/** Returns the test to write instead of an unknown function of one value. */
export const testInsteadOfFunction = (name: string): string | undefined => TEST_FOR_FUNCTION.get(keyOf(name));

/** Returns whether an unknown function tests whether its value is empty. */
export const isEmptyFunction = (name: string): boolean => ['empty', 'isempty'].includes(keyOf(name));

/** Returns the name to write instead of an undefined variable. */
export const nameInstead = (name: string): string | undefined => NAME_FOR.get(name);
