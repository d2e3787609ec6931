/** Checks the arguments of filters, tests and functions with the table of builtins. */
import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type Span, span } from '../../../text.ts';
import type { Argument, Name } from '../ast.ts';
import { type Builtin, FILTERS, FUNCTIONS, TESTS } from '../builtins.ts';
import type { TypeProblem } from './problem.ts';

const TABLES = { filter: FILTERS, test: TESTS, function: FUNCTIONS } as const;

/** The builtins that take a map as any argument, so that an argument by name does not make them fail. */
const TAKES_MAPS: readonly string[] = 'attr batch d debug default divisibleby eq equalto joiner slice'.split(' ');

/** Returns the first problem with the arguments of a call. `text` returns the source of a span. */
export function argumentProblem(
  what: 'filter' | 'test' | 'function',
  name: Name,
  args: readonly Argument[],
): TypeProblem | undefined {
  const builtin = TABLES[what].get(name.text);
  if (!builtin || args.some(({ kind }) => kind === 'splat' || kind === 'keyword-splat')) return undefined;
  const { parameters } = builtin;
  if (parameters.some(({ passed }) => passed === 'rest')) return missingArgument(what, builtin, name, args);
  const known = parameters.filter(({ passed }) => passed === 'name' || passed === 'either').map((one) => one.name);
  const named = args.find(({ kind, name: word }) => kind === 'keyword' && !known.includes(word?.text ?? ''));
  if (named?.name && named.name.text !== '') return unknownKeyword(what, builtin, named, named.name, known, args);
  const most = parameters.filter(({ passed }) => passed !== 'name').length;
  const surplus = args.filter(({ kind }) => kind === 'positional')[most];
  if (surplus) return surplusArgument(what, builtin, surplus, most);
  return missingArgument(what, builtin, name, args);
}

const wordFor = { filter: 'The filter', test: 'The test', function: 'The function' } as const;

function unknownKeyword(
  what: keyof typeof TABLES,
  { name, signature, parameters }: Builtin,
  argument: Argument,
  word: Name,
  known: readonly string[],
  args: readonly Argument[],
): TypeProblem {
  const near = nearestNames(word.text, known);
  const label = `${wordFor[what]} \`${name}\` has no argument \`${word.text}\`.`;
  const index = args.filter(({ kind }) => kind === 'positional').length;
  const isByPosition = index < parameters.filter(({ passed }) => passed !== 'name').length;
  const advice = isByPosition && known.length === 0 ? ' Pass it by position.' : ` Use \`${signature}\`.`;
  return {
    kind: 'argument',
    span: word.span,
    isCertain: !TAKES_MAPS.includes(name),
    message: label + (near.length > 0 ? didYouMean(near) : advice),
    fixes: [
      ...near.map((other) => ({ title: `Replace with \`${other}\``, edits: [{ span: word.span, newText: other }] })),
      ...(near.length === 0 && isByPosition && args.at(index) === argument
        ? [
            {
              title: `Remove \`${word.text}=\``,
              edits: [{ span: span(word.span.start, argument.value.span.start), newText: '' }],
            },
          ]
        : []),
    ],
  };
}

function surplusArgument(
  what: keyof typeof TABLES,
  { name, signature, parameters }: Builtin,
  surplus: Argument,
  most: number,
): TypeProblem {
  const [first] = parameters;
  const isNamed = most === 0 && first !== undefined;
  const advice = isNamed ? ` Pass it by name: \`${first.name}=\`.` : ` Use \`${signature}\`.`;
  const start: Span = span(surplus.span.start, surplus.span.start);
  return {
    kind: 'argument',
    span: surplus.span,
    isCertain: true,
    message: `${wordFor[what]} \`${name}\` takes ${most === 0 ? 'no' : `at most ${most}`} argument${most === 1 ? '' : 's'} by position.${advice}`,
    fixes: isNamed ? [{ title: `Add \`${first.name}=\``, edits: [{ span: start, newText: `${first.name}=` }] }] : [],
  };
}

function missingArgument(
  what: keyof typeof TABLES,
  { name, signature, parameters }: Builtin,
  { span: place }: Name,
  args: readonly Argument[],
): TypeProblem | undefined {
  const given = args.filter(({ kind }) => kind === 'positional').length;
  const missing = parameters.filter(({ passed, optional }) => passed === 'position' && !optional)[given];
  if (!missing || args.some(({ kind }) => kind === 'keyword')) return undefined;
  return {
    kind: 'argument',
    span: place,
    isCertain: true,
    message: `${wordFor[what]} \`${name}\` needs the argument \`${missing.name}\`. Use \`${signature}\`.`,
    fixes: [],
  };
}
