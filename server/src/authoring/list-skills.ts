/** The skills of a workspace in short, page by page (docs/mcp.md, "list_skills"). */
import type { Analysis } from '../analysis/analysis.ts';
import { isDisabledHere } from '../analysis/permissions.ts';
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import { namedSkills } from '../planner/offered.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type IndexedSkill, isOfAccount } from '../workspace/workspace-index.ts';
import { type Refusal, refusal } from './refusal.ts';

export interface SkillFilter {
  readonly source?: string | undefined;
  /** A skill has all of them. */
  readonly tags?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly dialect?: string | undefined;
  /** In the name, the description or a tag, in any case. */
  readonly text?: string | undefined;
  readonly cursor?: string | undefined;
}

export interface SkillInShort {
  readonly name: string;
  readonly version: string | null;
  readonly uri: string;
  readonly dialect: string;
  readonly description: string;
  readonly source: string;
  readonly where: 'workspace' | 'account';
  readonly tags: readonly string[];
  readonly enabled: boolean;
  readonly deprecated: boolean;
}

export interface SkillPage {
  readonly skills: readonly SkillInShort[];
  readonly total: number;
  readonly nextCursor: string | null;
}

const PAGE = 50;

export function listSkills(analysis: Analysis, filter: SkillFilter): SkillPage | Refusal {
  const after = filter.cursor === undefined ? undefined : readCursor(filter.cursor);
  if (filter.cursor !== undefined && after === undefined) {
    return refusal(
      'invalid-argument',
      'This is no cursor of `list_skills`: leave it out to begin with the first page.',
    );
  }
  const all = namedSkills(analysis, analysis.index.files.keys()).flatMap((skill) => {
    const short = skillInShort(analysis, skill);
    return short && passes(short, filter) ? [short] : [];
  });
  const begin = after === undefined ? 0 : all.findIndex((one) => keyOf(one) > after);
  const skills = begin < 0 ? [] : all.slice(begin, begin + PAGE);
  const last = skills.at(-1);
  const hasMore = last !== undefined && begin + PAGE < all.length;
  return { skills, total: all.length, nextCursor: hasMore ? encodeURIComponent(keyOf(last)) : null };
}

/** A place in the order of the list, which holds also where skills come and go meanwhile. */
const keyOf = ({ name, uri }: SkillInShort): string => `${name}\n${uri}`;

function readCursor(cursor: string): string | undefined {
  try {
    const key = decodeURIComponent(cursor);
    return key.includes('\n') ? key : undefined;
  } catch {
    return undefined;
  }
}

export function skillInShort(analysis: Analysis, skill: IndexedSkill): SkillInShort | undefined {
  const file = analysis.file(skill.uri);
  if (!file?.isSkill || file.dialect === 'catalog') return undefined;
  const { name = '', version, deprecated } = skill.summary;
  return {
    ...{ name, version: version ?? null, uri: skill.uri, dialect: file.dialect },
    description: file.contract.description?.name ?? '',
    source: textOf(file, 'source') ?? 'user',
    where: isOfAccount(analysis.graph, skill.uri) ? 'account' : 'workspace',
    tags: listItems(findValue(file.frontmatter.tree.root, 'tags')).flatMap((tag) => stringOf(tag) ?? []),
    enabled: !isDisabledHere(analysis, skill),
    deprecated,
  };
}

const textOf = ({ frontmatter }: SkillFile, key: string): string | undefined =>
  stringOf(findValue(frontmatter.tree.root, key));

function passes(skill: SkillInShort, { source, tags = [], enabled, dialect, text }: SkillFilter): boolean {
  const words = [skill.name, skill.description, ...skill.tags].join('\n').toLowerCase();
  return (
    (source === undefined || skill.source === source) &&
    tags.every((tag) => skill.tags.includes(tag)) &&
    (enabled === undefined || skill.enabled === enabled) &&
    (dialect === undefined || skill.dialect === dialect) &&
    (text === undefined || words.includes(text.toLowerCase()))
  );
}
