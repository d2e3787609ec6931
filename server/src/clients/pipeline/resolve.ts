/** The step `resolve` of a client (docs/clients.md, "The steps of a client"): skills of equal names. */

import type { Named } from './fields.ts';
import type { FilePath } from './file.ts';
import type { Found } from './find.ts';
import { type Ask, type Choice, isChoice, type Setting } from './setting.ts';

export interface ResolveRules {
  /** The skill that is used: the first or the last in the order of the folders, all of them, or any. */
  readonly equalNames: Setting<EqualNames>;
  /**
   * A file that is found at several paths, through links, is one skill (`once`, at the first path, whatever the names of
   * the folders are) or several; undefined if this makes no difference, because the client uses one of equal names.
   */
  readonly sameFile?: Setting<SameFile>;
  /** The order of the files in one skills folder, by their paths; `all-paths`: of all files, ignoring letter case. */
  readonly order: Setting<Order>;
  /** True if names that differ only in letter case are equal. */
  readonly ignoresCase: Setting<boolean>;
  /**
   * `prefixed`: skills of plugins come after those of the project and before those of the user, and those of different
   * plugins are all used, with the names of their plugins as prefix.
   */
  readonly plugins?: 'prefixed';
}

export type Order = 'path' | 'reverse' | 'all-paths';

export type EqualNames = 'first' | 'last' | 'both' | 'any';
export type SameFile = 'once' | 'each';

/** A skill that a client has loaded. */
export interface Loaded extends Named {
  readonly file: FilePath;
  readonly found: Found;
}

/**
 * Returns the skill that a client uses instead of one with the same name; undefined if it uses this one.
 *
 * @param others other skills that the client has loaded
 */
export function usedInstead(
  rules: ResolveRules,
  skill: Loaded,
  others: readonly Loaded[],
  ask: Ask,
): Loaded | undefined {
  const used = usedOf(rules, skill, others, ask);
  return used === skill ? undefined : used;
}

function usedOf(rules: ResolveRules, skill: Loaded, others: readonly Loaded[], ask: Ask): Loaded | undefined {
  const isEqual = ({ name }: Loaded): boolean =>
    name === skill.name ||
    (name.toLowerCase() === skill.name.toLowerCase() && ask('resolve.ignoresCase', rules.ignoresCase));
  const same = sameFiles(rules, skill, others, ask);
  const [first] = same.length === 0 ? [skill] : inOrder(rules, [skill, ...same], ask);
  if (first !== skill) return first;
  const equal = others.filter(
    (other) => isEqual(other) && !same.includes(other) && !(rules.plugins && isOfOtherPlugin(skill, other)),
  );
  if (equal.length === 0) return skill;
  const which = ask('resolve.equalNames', rules.equalNames);
  if (which === 'both') return skill;
  const everyone = [skill, ...equal];
  if (which === 'any') return oneOf(inOrder(rules, everyone, ask), skill.name, 'varies', ask);
  const ranks = everyone.map(({ found }) => rankOf(rules, found));
  const rank = (which === 'first' ? Math.min : Math.max)(...ranks);
  const nearest = everyone.filter(({ found }) => rankOf(rules, found) === rank);
  // In an order of the file system that is not known, any of them may be the first.
  if (isChoice(rules.order) && nearest.length > 2) return oneOf(byPath(nearest), skill.name, rules.order.because, ask);
  const all = inOrder(rules, everyone, ask);
  return which === 'first' ? all[0] : all.at(-1);
}

/** Returns the place of a skill in the order of the folders. The user's folders come after the project's. */
const rankOf = ({ plugins }: ResolveRules, { rank, plugin, folder }: Found): number =>
  plugins && !plugin && folder.scope !== 'user' ? rank - PROJECTS_FIRST : rank;

/** More than the number of folders of a client. */
const PROJECTS_FIRST = 1_000_000;

const isOfOtherPlugin = ({ found: { plugin } }: Loaded, { found }: Loaded): boolean =>
  plugin !== undefined && found.plugin !== undefined && plugin.name !== found.plugin.name;

/** Returns the name of a skill, with the name of its plugin before it if another plugin has a skill of this name. */
export function distinctName({ plugins }: ResolveRules, skill: Loaded, others: readonly Loaded[]): string {
  const { name, found } = skill;
  const isClash = plugins && others.some((other) => other.name === name && isOfOtherPlugin(skill, other));
  return isClash && found.plugin ? `${found.plugin.name}:${name}` : name;
}

/** Returns the other paths of a skill's file, if the client counts them as one skill. */
function sameFiles(
  { sameFile = 'each' }: ResolveRules,
  { file }: Loaded,
  others: readonly Loaded[],
  ask: Ask,
): readonly Loaded[] {
  const same = others.filter((other) => realPath(other.file) === realPath(file));
  return same.length > 0 && ask('resolve.sameFile', sameFile) === 'once' ? same : [];
}

/** Returns any of some skills. Their order is the same for each of them. */
const oneOf = (
  skills: readonly Loaded[],
  name: string,
  because: Choice<unknown>['because'],
  ask: Ask,
): Loaded | undefined => skills[ask(`resolve.winner.${name}`, { oneOf: skills.map((_, at) => at), because })];

const byPath = (skills: readonly Loaded[]): readonly Loaded[] =>
  [...skills].sort((a, b) => (a.file.path < b.file.path ? -1 : 1));

const realPath = ({ path, link }: FilePath): string => link?.target ?? path;

/**
 * Returns the second name of a skill; undefined if it has none, or if it is the name of another skill, or the second name
 * of an earlier one.
 */
export function labelIn(rules: ResolveRules, skill: Loaded, all: readonly Loaded[], ask: Ask): string | undefined {
  const { label } = skill;
  if (label === undefined) return undefined;
  const same = sameFiles(rules, skill, all, ask);
  const others = all.filter((other) => !same.includes(other));
  if (others.some(({ name }) => name === label)) return undefined;
  const alike = others.filter((other) => other.label === label);
  return alike.length === 0 || inOrder(rules, [skill, ...alike], ask)[0] === skill ? label : undefined;
}

/** Returns skills in the order in which a client finds them. */
function inOrder(rules: ResolveRules, skills: readonly Loaded[], ask: Ask): readonly Loaded[] {
  const order = ask('resolve.order', rules.order);
  const sign = order === 'reverse' ? -1 : 1;
  const keyOf = ({ path }: FilePath): string => (order === 'all-paths' ? path.toLowerCase() : path);
  const placeOf = ({ found }: Loaded): number => (order === 'all-paths' ? 0 : rankOf(rules, found));
  return [...skills].sort((a, b) => placeOf(a) - placeOf(b) || (keyOf(a.file) < keyOf(b.file) ? -sign : sign));
}
