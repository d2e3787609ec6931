/** The graph of skills with resolved names, which caches results for its lifetime. */

import { type ResolvedEntry, resolveComposedSkills } from './composition-lookups.ts';
import { allNamed, type IndexedSkill, onlySkillNamed, type SkillGraph } from './workspace-index.ts';

export class ResolvedGraph implements SkillGraph {
  readonly skills: SkillGraph['skills'];
  readonly byName: SkillGraph['byName'];
  readonly byId: SkillGraph['byId'];
  readonly mentionedBy: SkillGraph['mentionedBy'];
  readonly missing: SkillGraph['missing'];
  readonly tools: SkillGraph['tools'];
  readonly account: SkillGraph['account'];
  readonly roots: SkillGraph['roots'];
  readonly surface: SkillGraph['surface'];
  readonly #only = new Map<string, IndexedSkill>();
  readonly #named = new Map<string, readonly IndexedSkill[]>();
  /** The choices among the versions in a list. */
  readonly #choices = new WeakMap<readonly IndexedSkill[], Map<string, IndexedSkill | undefined>>();
  readonly #composedSkills = new Map<IndexedSkill, readonly ResolvedEntry[]>();
  readonly #kept = new Map<unknown, Map<IndexedSkill, unknown>>();
  // Caches only the last root: the closures of all skills in a long chain would need quadratic memory.
  #closure: { readonly root: IndexedSkill; readonly skills: readonly IndexedSkill[] } | undefined;
  #waysBack: { readonly root: IndexedSkill; readonly find: WayBack } | undefined;
  #names: readonly string[] | undefined;

  constructor({ skills, byName, byId, mentionedBy, missing, tools, account, roots, surface }: SkillGraph) {
    this.skills = skills;
    this.byName = byName;
    this.byId = byId;
    this.mentionedBy = mentionedBy;
    this.missing = missing;
    this.tools = tools;
    this.account = account;
    this.roots = roots;
    this.surface = surface;
  }

  /** The names of all skills. */
  get names(): readonly string[] {
    this.#names ??= [...this.byName.keys()];
    return this.#names;
  }

  /** Returns the skill that a name refers to if it is the only one in all scopes. */
  readonly onlyNamed = (name: string): IndexedSkill | undefined => {
    const only = this.#only.get(name) ?? onlySkillNamed(this, name);
    if (only) this.#only.set(name, only);
    return only;
  };

  /** Returns the skills of all scopes that a name refers to, sorted by URI: always the same list for a name. */
  readonly named = (name: string): readonly IndexedSkill[] => {
    const known = this.#named.get(name) ?? allNamed(this, name);
    this.#named.set(name, known);
    return known;
  };

  readonly keptChoice: NonNullable<SkillGraph['keptChoice']> = (versions, key, choose) => {
    const choices = this.#choices.get(versions) ?? new Map<string, IndexedSkill | undefined>();
    this.#choices.set(versions, choices);
    if (!choices.has(key)) choices.set(key, choose());
    return choices.get(key);
  };

  /** Returns the composed skills in the order of their entries. Omits skills that do not exist or do not parse. */
  composedSkillsOf(skill: IndexedSkill): readonly ResolvedEntry[] {
    const known = this.#composedSkills.get(skill) ?? resolveComposedSkills(this, skill);
    this.#composedSkills.set(skill, known);
    return known;
  }

  /** Returns `make(this, skill)`, which is stored for the lifetime of the graph. */
  keep<Value>(skill: IndexedSkill, make: (graph: ResolvedGraph, skill: IndexedSkill) => Value): Value {
    const values = this.#kept.get(make) ?? new Map<IndexedSkill, unknown>();
    this.#kept.set(make, values);
    if (!values.has(skill)) values.set(skill, make(this, skill));
    return values.get(skill) as Value;
  }

  /**
   * Returns all skills that `root` composes, directly and indirectly, each once and after its own composed skills.
   * Ignores edges that close a cycle.
   */
  closureOf(root: IndexedSkill): readonly IndexedSkill[] {
    if (this.#closure?.root !== root) this.#closure = { root, skills: this.#walk(root) };
    return this.#closure.skills;
  }

  /**
   * Returns a function that finds, for the URI of a composed skill, the shortest cycle back to `root`. The path begins
   * with the composed skill and ends with `root`.
   */
  waysBackOf(root: IndexedSkill): WayBack {
    if (this.#waysBack?.root !== root)
      this.#waysBack = { root, find: findWaysBack(root, (skill) => this.composedSkillsOf(skill)) };
    return this.#waysBack.find;
  }

  #walk(root: IndexedSkill): readonly IndexedSkill[] {
    const order: IndexedSkill[] = [];
    const seen = new Set([root.uri]);
    // No recursion: a chain may be longer than the call stack.
    const stack = [{ skill: root, composed: this.composedSkillsOf(root), next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const composedSkill = top.composed[top.next++];
      if (!composedSkill) {
        stack.pop();
        if (top.skill !== root) order.push(top.skill);
      } else if (!seen.has(composedSkill.skill.uri)) {
        seen.add(composedSkill.skill.uri);
        stack.push({ skill: composedSkill.skill, composed: this.composedSkillsOf(composedSkill.skill), next: 0 });
      }
    }
    return order;
  }
}

// Cycles of the composition graph.

/** Returns the shortest path from a composed skill, by URI, back to its composite; undefined without a cycle. */
type WayBack = (uri: string) => readonly IndexedSkill[] | undefined;

type ComposedSkillsOf = (skill: IndexedSkill) => readonly ResolvedEntry[];

/**
 * Returns a function that finds the shortest path from a composed skill back to `root`. Walks the closure once for all
 * composed skills.
 */
function findWaysBack(root: IndexedSkill, composedSkillsOf: ComposedSkillsOf): WayBack {
  const composers = composersWithin(root, composedSkillsOf);
  const next = new Map<string, IndexedSkill>();
  const reached = new Map([[root.uri, root]]);
  // Breadth first and backward, to find the shortest paths. The loop also visits skills that are added during the loop.
  for (const [uri, skill] of reached) {
    for (const composer of composers.get(uri) ?? []) {
      if (!next.has(composer.uri)) next.set(composer.uri, skill);
      if (!reached.has(composer.uri)) reached.set(composer.uri, composer);
    }
  }
  return (uri) => {
    const first = reached.get(uri);
    if (uri === root.uri) return composers.get(uri)?.includes(root) ? [root] : undefined;
    if (!first) return undefined;
    const way = [first];
    for (let at = first; at.uri !== root.uri; ) {
      at = next.get(at.uri) ?? root;
      way.push(at);
    }
    return way;
  };
}

/** Returns the composites of each skill in the closure of `root`, by URI. The closure includes `root` here. */
function composersWithin(
  root: IndexedSkill,
  composedSkillsOf: ComposedSkillsOf,
): ReadonlyMap<string, readonly IndexedSkill[]> {
  const composers = new Map<string, IndexedSkill[]>();
  const reached = new Map([[root.uri, root]]);
  for (const composer of reached.values()) {
    for (const { skill } of composedSkillsOf(composer)) {
      const known = composers.get(skill.uri);
      if (known) known.push(composer);
      else composers.set(skill.uri, [composer]);
      if (!reached.has(skill.uri)) reached.set(skill.uri, skill);
    }
  }
  return composers;
}
