/** Filters, those first that fit the value that they are put behind. */
import { FILTERS } from '../../../languages/minijinja/builtins/builtins.ts';
import type { FilterInput } from '../../../languages/minijinja/cursor/cursor.ts';
import type { Scopes } from '../../../languages/minijinja/scope-model.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { type Value, valueAt } from '../../symbol/template-values.ts';
import { Kind, type Proposal, Rank } from '../proposal.ts';
import { builtinProposals } from './words.ts';

type Type = 'list' | 'text' | 'number' | 'map';

const words = (text: string): readonly string[] => text.split(' ');

/** What is used on a type, the frequent first. */
const FITTING: ReadonlyMap<Type, readonly string[]> = new Map<Type, readonly string[]>([
  [
    'list',
    words(
      'join length first last sort map select selectattr reject rejectattr unique groupby batch slice sum min max reverse count chain tojson',
    ),
  ],
  [
    'text',
    words('upper lower title capitalize trim replace truncate indent split lines length default striptags escape'),
  ],
  ['number', words('round abs int float string pluralize filesizeformat')],
  ['map', words('items dictsort length tojson attr list')],
]);

/** What a filter gives, where that is not the type of its input. */
const GIVES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...words('items dictsort groupby batch slice split lines list').map((name) => [name, 'list'] as const),
  ...words('join string tojson upper lower title capitalize trim replace truncate indent striptags').map(
    (name) => [name, 'text'] as const,
  ),
  ...words('length count round abs int float').map((name) => [name, 'number'] as const),
]);

const SAME: ReadonlySet<string> = new Set(
  words('default d sort reverse unique select selectattr reject rejectattr map chain safe'),
);
const OF_ITEMS: ReadonlySet<string> = new Set(['first', 'last', 'min', 'max']);

export function filterProposals(file: SkillFile, scopes: Scopes, input: FilterInput | undefined): Proposal[] {
  const type = input && typeOfInput(file, scopes, input);
  const fitting = type && FITTING.get(type);
  const all = builtinProposals(FILTERS, Kind.Function);
  if (!fitting) return all;
  const others = all.filter(({ label }) => !fitting.includes(label));
  return [
    ...fitting.flatMap((name) => all.filter(({ label }) => label === name)).map((one) => ({ ...one, rank: Rank.near })),
    ...others.map((one) => ({ ...one, rank: Rank.rest })),
  ];
}

function typeOfInput(file: SkillFile, scopes: Scopes, { receiver, filters }: FilterInput): Type | undefined {
  const value = valueAt(file, scopes, receiver.name, receiver.variable, receiver.segments);
  if (!value) return undefined;
  return filters.reduce<Type | undefined>((type, filter) => {
    if (SAME.has(filter)) return type;
    if (OF_ITEMS.has(filter)) return type === 'list' ? typeOf({ ...value, isList: false }) : undefined;
    return GIVES.get(filter);
  }, typeOf(value));
}

function typeOf({ isList, isLoop, type, members, constants }: Value): Type | undefined {
  if (isList) return 'list';
  if (isLoop) return undefined;
  const [, word] = /^(?:\W*)(integer|number|string|object)\b/.exec(type) ?? [];
  if (word === 'integer' || word === 'number') return 'number';
  if (word === 'object' || members.length > 0) return 'map';
  const isText = constants.length > 0 && constants.every((constant) => typeof constant === 'string');
  return word === 'string' || isText ? 'text' : undefined;
}
