/** The graph of skills with the names in it resolved; results are remembered here, as long as the graph. */

import { findWaysBack, type WayBack } from './cycles.ts';
import { type Part, resolveParts } from './parts-and-composers.ts';
import type { IndexedSkill, SkillGraph } from './workspace-index.ts';

export class ResolvedGraph implements SkillGraph {
  readonly skills: SkillGraph['skills'];
  readonly byName: SkillGraph['byName'];
  readonly mentionedBy: SkillGraph['mentionedBy'];
  readonly missing: SkillGraph['missing'];
  readonly unknownKeys: SkillGraph['unknownKeys'];
  readonly tools: SkillGraph['tools'];
  readonly account: SkillGraph['account'];
  readonly #parts = new Map<IndexedSkill, readonly Part[]>();
  // Only of the last root: the closures of all skills of a long chain would take quadratic memory.
  #closure: { readonly root: IndexedSkill; readonly skills: readonly IndexedSkill[] } | undefined;
  #waysBack: { readonly root: IndexedSkill; readonly find: WayBack } | undefined;
  #names: readonly string[] | undefined;

  constructor({ skills, byName, mentionedBy, missing, unknownKeys, tools, account }: SkillGraph) {
    this.skills = skills;
    this.byName = byName;
    this.mentionedBy = mentionedBy;
    this.missing = missing;
    this.unknownKeys = unknownKeys;
    this.tools = tools;
    this.account = account;
  }

  /** All names that skills have. */
  get names(): readonly string[] {
    this.#names ??= [...this.byName.keys()];
    return this.#names;
  }

  /** The composed skills, in the order of their entries; what is not found or does not parse is left out. */
  partsOf(skill: IndexedSkill): readonly Part[] {
    const known = this.#parts.get(skill) ?? resolveParts(this, skill);
    this.#parts.set(skill, known);
    return known;
  }

  /**
   * Every skill that this one composes, directly or not, each once: parts before the skills that compose them. An edge
   * that closes a cycle is left out.
   */
  closureOf(root: IndexedSkill): readonly IndexedSkill[] {
    if (this.#closure?.root !== root) this.#closure = { root, skills: this.#walk(root) };
    return this.#closure.skills;
  }

  /**
   * Finds how a skill comes back to itself. A way begins with the part and ends with the skill; undefined for a part that
   * closes no cycle.
   */
  waysBackOf(root: IndexedSkill): WayBack {
    if (this.#waysBack?.root !== root)
      this.#waysBack = { root, find: findWaysBack(root, (skill) => this.partsOf(skill)) };
    return this.#waysBack.find;
  }

  #walk(root: IndexedSkill): readonly IndexedSkill[] {
    const order: IndexedSkill[] = [];
    const seen = new Set([root.uri]);
    // No recursion: a chain may be longer than the call stack.
    const stack = [{ skill: root, parts: this.partsOf(root), next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const part = top.parts[top.next++];
      if (!part) {
        stack.pop();
        if (top.skill !== root) order.push(top.skill);
      } else if (!seen.has(part.skill.uri)) {
        seen.add(part.skill.uri);
        stack.push({ skill: part.skill, parts: this.partsOf(part.skill), next: 0 });
      }
    }
    return order;
  }
}
