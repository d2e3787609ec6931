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
 * Skills that a client has loaded and that may have equal names. Their groups and orders are computed once for all of
 * them, because each skill is compared with the others.
 */
export class LoadedSkills {
  readonly all: readonly Loaded[];
  readonly #groups = new Map<keyof typeof KEYS, ReadonlyMap<string, readonly Loaded[]>>();
  readonly #orders = new WeakMap<readonly Loaded[], Map<Order, readonly Loaded[]>>();
  readonly #ends = new WeakMap<readonly Loaded[], Ends>();

  constructor(all: readonly Loaded[]) {
    this.all = all;
  }

  /** Returns the skills with a value of a key, always as the same list. */
  with(key: keyof typeof KEYS, value: string): readonly Loaded[] {
    const known = this.#groups.get(key) ?? groupsOf(this.all, KEYS[key]);
    this.#groups.set(key, known);
    return known.get(value) ?? [];
  }

  /** Returns one of the lists of `with` in an order. */
  inOrder(rules: ResolveRules, skills: readonly Loaded[], order: Order): readonly Loaded[] {
    const orders = this.#orders.get(skills) ?? new Map<Order, readonly Loaded[]>();
    this.#orders.set(skills, orders);
    const known = orders.get(order) ?? sorted(rules, skills, order);
    orders.set(order, known);
    return known;
  }

  /** Returns the skills of the first and of the last rank in one of the lists of `with`. */
  endsOf(rules: ResolveRules, skills: readonly Loaded[]): Ends {
    const known = this.#ends.get(skills) ?? endsOf(rules, skills);
    this.#ends.set(skills, known);
    return known;
  }
}

const KEYS = {
  name: ({ name }: Loaded): string => name,
  anyCase: ({ name }: Loaded): string => name.toLowerCase(),
  label: ({ label }: Loaded): string | undefined => label,
  file: ({ file }: Loaded): string => realPath(file),
} as const;

function groupsOf(
  all: readonly Loaded[],
  keyOf: (skill: Loaded) => string | undefined,
): ReadonlyMap<string, readonly Loaded[]> {
  const groups = new Map<string, Loaded[]>();
  for (const skill of all) {
    const key = keyOf(skill);
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known) known.push(skill);
    else groups.set(key, [skill]);
  }
  return groups;
}

/** The skills of the first and of the last rank, by path. */
interface Ends {
  readonly first: readonly Loaded[];
  readonly last: readonly Loaded[];
}

function endsOf(rules: ResolveRules, skills: readonly Loaded[]): Ends {
  const byPath = [...skills].sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
  const ranks = byPath.map(({ found }) => rankOf(rules, found));
  const at = (rank: number): readonly Loaded[] => byPath.filter((_, index) => ranks[index] === rank);
  const most = (best: (...two: readonly number[]) => number): number => ranks.reduce((a, b) => best(a, b));
  return { first: at(most(Math.min)), last: at(most(Math.max)) };
}

/**
 * Returns the skill that a client uses instead of one with the same name; undefined if it uses this one.
 *
 * @param all the skill, and others that the client has loaded
 */
export function usedInstead(rules: ResolveRules, skill: Loaded, all: LoadedSkills, ask: Ask): Loaded | undefined {
  const used = usedOf(rules, skill, all, ask);
  return used === skill ? undefined : used;
}

function usedOf(rules: ResolveRules, skill: Loaded, all: LoadedSkills, ask: Ask): Loaded | undefined {
  const same = sameFiles(rules, skill, all, ask);
  const [first] = same.length === 0 ? [skill] : inOrder(rules, [skill, ...same], ask);
  if (first !== skill) return first;
  const everyone = withEqualName(rules, skill, same, all, ask);
  if (everyone.length === 1) return skill;
  const which = ask('resolve.equalNames', rules.equalNames);
  if (which === 'both') return skill;
  if (which === 'any') return oneOf(all.inOrder(rules, everyone, orderOf(rules, ask)), skill.name, 'varies', ask);
  const nearest = all.endsOf(rules, everyone)[which];
  // In an order of the file system that is not known, any of them may be the first.
  if (isChoice(rules.order) && nearest.length > 2) return oneOf(nearest, skill.name, rules.order.because, ask);
  const ordered = all.inOrder(rules, everyone, orderOf(rules, ask));
  return which === 'first' ? ordered[0] : ordered.at(-1);
}

/** Returns a skill and the others with its name, without the other paths of its file, and without those of other plugins. */
function withEqualName(
  rules: ResolveRules,
  skill: Loaded,
  same: readonly Loaded[],
  all: LoadedSkills,
  ask: Ask,
): readonly Loaded[] {
  const [equal, alike] = [all.with('name', skill.name), all.with('anyCase', skill.name.toLowerCase())];
  const isAnyCase = alike.length > equal.length && ask('resolve.ignoresCase', rules.ignoresCase);
  const named = isAnyCase ? alike : equal;
  const isOther = (other: Loaded): boolean =>
    same.includes(other) || (rules.plugins !== undefined && isOfOtherPlugin(skill, other));
  const isPlain = same.length === 0 && (rules.plugins === undefined || skill.found.plugin === undefined);
  return isPlain ? named : named.filter((other) => !isOther(other));
}

/** Returns the place of a skill in the order of the folders. The user's folders come after the project's. */
const rankOf = ({ plugins }: ResolveRules, { rank, plugin, folder }: Found): number =>
  plugins && !plugin && folder.scope !== 'user' ? rank - PROJECTS_FIRST : rank;

/** More than the number of folders of a client. */
const PROJECTS_FIRST = 1_000_000;

const isOfOtherPlugin = ({ found: { plugin } }: Loaded, { found }: Loaded): boolean =>
  plugin !== undefined && found.plugin !== undefined && plugin.name !== found.plugin.name;

/** Returns the name of a skill, with the name of its plugin before it if another plugin has a skill of this name. */
export function distinctName({ plugins }: ResolveRules, skill: Loaded, all: LoadedSkills): string {
  const { name, found } = skill;
  if (!plugins || !found.plugin) return name;
  const isClash = all.with('name', name).some((other) => isOfOtherPlugin(skill, other));
  return isClash ? `${found.plugin.name}:${name}` : name;
}

/** Returns the other paths of a skill's file, if the client counts them as one skill. */
function sameFiles({ sameFile = 'each' }: ResolveRules, skill: Loaded, all: LoadedSkills, ask: Ask): readonly Loaded[] {
  const same = all.with('file', realPath(skill.file)).filter((other) => other !== skill);
  return same.length > 0 && ask('resolve.sameFile', sameFile) === 'once' ? same : [];
}

/** Returns any of some skills. Their order is the same for each of them. */
const oneOf = (
  skills: readonly Loaded[],
  name: string,
  because: Choice<unknown>['because'],
  ask: Ask,
): Loaded | undefined => skills[ask(`resolve.winner.${name}`, { oneOf: skills.map((_, at) => at), because })];

const realPath = ({ path, link }: FilePath): string => link?.target ?? path;

/**
 * Returns the second name of a skill; undefined if it has none, or if it is the name of another skill, or the second name
 * of an earlier one.
 *
 * @param all the skill, and others that the client has loaded
 */
export function labelIn(rules: ResolveRules, skill: Loaded, all: LoadedSkills, ask: Ask): string | undefined {
  const { label } = skill;
  if (label === undefined) return undefined;
  const same = sameFiles(rules, skill, all, ask);
  const isOther = (other: Loaded): boolean => other !== skill && !same.includes(other);
  if (all.with('name', label).some(isOther)) return undefined;
  const labelled = all.with('label', label);
  if (!labelled.some(isOther)) return label;
  const alike = all.inOrder(rules, labelled, orderOf(rules, ask));
  return alike.find((one) => !same.includes(one)) === skill ? label : undefined;
}

const orderOf = ({ order }: ResolveRules, ask: Ask): Order => ask('resolve.order', order);

/** Returns skills in the order in which a client finds them. */
const inOrder = (rules: ResolveRules, skills: readonly Loaded[], ask: Ask): readonly Loaded[] =>
  sorted(rules, skills, orderOf(rules, ask));

function sorted(rules: ResolveRules, skills: readonly Loaded[], order: Order): readonly Loaded[] {
  const sign = order === 'reverse' ? -1 : 1;
  const keyOf = ({ path }: FilePath): string => (order === 'all-paths' ? path.toLowerCase() : path);
  const placeOf = ({ found }: Loaded): number => (order === 'all-paths' ? 0 : rankOf(rules, found));
  return [...skills].sort((a, b) => placeOf(a) - placeOf(b) || (keyOf(a.file) < keyOf(b.file) ? -sign : sign));
}
