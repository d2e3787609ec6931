/** The tree of skills in groups. Determines which nodes must be drawn again after a change. */
import type { ListedSkill } from '../../../../server/src/protocol.ts';

export interface GroupNode {
  readonly kind: 'group';
  readonly key: string;
}

/** The node of a skill. Commands that are called on an item read its `uri`. */
export interface SkillNode {
  readonly kind: 'skill';
  readonly uri: string;
}

export type TreeNode = GroupNode | SkillNode;

/** The grouping and the filter of the tree. */
export interface Arrangement {
  readonly groupOf: (skill: ListedSkill) => string;
  readonly isShown: (skill: ListedSkill) => boolean;
}

/** The nodes that are out of date; `all` if groups were added or removed. */
export type Stale = readonly TreeNode[] | 'all';

interface Group {
  readonly node: GroupNode;
  readonly members: readonly SkillNode[];
}

/** The position of a skill; undefined if the filter hides it. */
type SkillPosition = { readonly group: string; readonly name: string } | undefined;

/** Keeps one node object for each skill and group while it exists, because the editor compares nodes by identity. */
export class SkillModel {
  readonly #skills = new Map<string, ListedSkill>();
  readonly #nodes = new Map<string, SkillNode>();
  readonly #positions = new Map<string, SkillPosition>();
  readonly #order = new Intl.Collator(undefined, { numeric: true });
  #groups: ReadonlyMap<string, Group> = new Map();
  /** The skills that share their name with another one of their group. */
  readonly #namesakes = new Set<string>();
  #arrangement: Arrangement;

  constructor(arrangement: Arrangement) {
    this.#arrangement = arrangement;
  }

  get size(): number {
    return this.#skills.size;
  }

  get skills(): Iterable<ListedSkill> {
    return this.#skills.values();
  }

  get groups(): readonly GroupNode[] {
    return [...this.#groups.values()].map(({ node }) => node);
  }

  membersOf({ key }: GroupNode): readonly SkillNode[] {
    return this.#groups.get(key)?.members ?? [];
  }

  skill(uri: string): ListedSkill | undefined {
    return this.#skills.get(uri);
  }

  /** Returns the node of a skill; undefined if it is hidden or unknown. */
  node(uri: string): SkillNode | undefined {
    return this.#positions.get(uri) ? this.#nodes.get(uri) : undefined;
  }

  parentOf(node: TreeNode): GroupNode | undefined {
    const place = node.kind === 'skill' ? this.#positions.get(node.uri) : undefined;
    return place && this.#groups.get(place.group)?.node;
  }

  /** Returns whether another skill of the same group has the same name. */
  hasNamesake({ uri }: SkillNode): boolean {
    return this.#namesakes.has(uri);
  }

  /** Replaces all skills. */
  reset(skills: readonly ListedSkill[]): void {
    this.#skills.clear();
    for (const skill of skills) this.#skills.set(skill.uri, skill);
    this.#arrange();
  }

  rearrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    this.#arrange();
  }

  change(changed: readonly ListedSkill[], gone: readonly string[]): Stale {
    for (const skill of changed) this.#skills.set(skill.uri, skill);
    for (const uri of gone) this.#skills.delete(uri);
    return this.update([...changed.map(({ uri }) => uri), ...gone]);
  }

  /** Updates the rows of these skills. The tree is rebuilt only if a skill changed its group, name or visibility. */
  update(uris: Iterable<string>): Stale {
    const stale = new Set<TreeNode>();
    const moved = new Set<string>();
    for (const uri of uris) {
      const before = this.#positions.get(uri);
      const now = this.#placeOf(this.#skills.get(uri));
      const node = this.#nodes.get(uri);
      if (before?.group === now?.group && before?.name === now?.name) {
        if (now && node) stale.add(node);
        continue;
      }
      for (const place of [before, now]) if (place) moved.add(place.group);
    }
    if (moved.size === 0) return [...stale];
    const before = this.#groups;
    this.#arrange();
    if (before.size !== this.#groups.size || [...before.keys()].some((key) => !this.#groups.has(key))) return 'all';
    for (const key of moved) stale.add((this.#groups.get(key) as Group).node);
    return [...stale];
  }

  #placeOf(skill: ListedSkill | undefined): SkillPosition {
    if (!skill || !this.#arrangement.isShown(skill)) return undefined;
    return { group: this.#arrangement.groupOf(skill), name: skill.name };
  }

  #arrange(): void {
    const members = new Map<string, ListedSkill[]>();
    this.#positions.clear();
    for (const skill of this.#skills.values()) {
      const place = this.#placeOf(skill);
      this.#positions.set(skill.uri, place);
      if (!place) continue;
      const others = members.get(place.group);
      if (others) others.push(skill);
      else members.set(place.group, [skill]);
    }
    for (const uri of this.#nodes.keys()) if (!this.#skills.has(uri)) this.#nodes.delete(uri);
    this.#namesakes.clear();
    for (const group of members.values()) {
      group.sort((a, b) => this.#compare(a, b));
      for (const [at, { name, uri }] of group.entries()) {
        if (group[at - 1]?.name === name || group[at + 1]?.name === name) this.#namesakes.add(uri);
      }
    }
    const before = this.#groups;
    const keys = [...members.keys()].sort(this.#order.compare);
    this.#groups = new Map(
      keys.map((key) => [
        key,
        {
          node: before.get(key)?.node ?? { kind: 'group', key },
          members: (members.get(key) ?? []).map(({ uri }) => this.#nodeOf(uri)),
        },
      ]),
    );
  }

  #compare(a: ListedSkill, b: ListedSkill): number {
    return this.#order.compare(a.name, b.name) || this.#order.compare(a.version ?? '', b.version ?? '');
  }

  #nodeOf(uri: string): SkillNode {
    const node = this.#nodes.get(uri) ?? { kind: 'skill', uri };
    this.#nodes.set(uri, node);
    return node;
  }
}
