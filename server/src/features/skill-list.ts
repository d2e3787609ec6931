/** The rows of the skills view, and the details of one skill. */

import type { Analysis } from '../analysis/analysis.ts';
import { isDisabledHere } from '../analysis/permissions.ts';
import { routingCases } from '../analysis/routing.ts';
import { targetRows } from '../analysis/targets.ts';
import { estimateTokens } from '../composer/estimate-tokens.ts';
import { findFences } from '../languages/yaml/frontmatter.ts';
import { listed } from '../nearest.ts';
import type { ListedSkill, SkillDetailsReply } from '../protocol.ts';
import type { FileEntry, SkillFile } from '../skill/skill-file.ts';
import { listTests } from '../testing/list-tests.ts';
import { isSkillDialect, nameFromUri } from '../vocabulary/dialect.ts';
import { levelsOf } from '../workspace/order.ts';
import { describeComposition } from './hover/describe-composition.ts';
import { describeFile } from './hover/describe-names.ts';
import type { Locate } from './locate.ts';
import { type Markdown, markup, paragraphs, trusted } from './markdown.ts';

/** The facts that are slow to compute. */
type Counted = Pick<ListedSkill, 'tokens' | 'tests'>;

/** Creates the rows of the list. Caches counts that are slow to compute until the text of the file changes. */
export class SkillRows {
  readonly #counted = new WeakMap<FileEntry, Counted>();

  /** Returns the row of a file; undefined if the file is not a skill or was deleted. */
  find(analysis: Analysis, uri: string): ListedSkill | undefined {
    const skill = analysis.graph.skills.get(uri);
    const entry = skill && analysis.index.files.get(uri);
    if (!entry || !isSkillDialect(entry.dialect)) return undefined;
    const { version, deprecated } = skill.summary;
    const isAgentSkill = entry.dialect === 'agent-skill';
    return {
      uri,
      name: skill.summary.name ?? nameFromUri(uri),
      dialect: entry.dialect,
      version: version ?? null,
      level: isAgentSkill ? null : (levelsOf(analysis.graph, skill).get(uri) ?? 1),
      isDeprecated: deprecated,
      isDisabled: isDisabledHere(analysis, skill),
      ...this.#count(analysis, entry),
    };
  }

  #count(analysis: Analysis, entry: FileEntry): Counted {
    const known = this.#counted.get(entry);
    if (known) return known;
    const { dialect, text } = entry;
    const counted: Counted = {
      tokens: dialect === 'contract' ? null : estimateTokens(text.slice(findFences(text).bodyStart)),
      tests: this.#countTests(analysis, entry),
    };
    this.#counted.set(entry, counted);
    return counted;
  }

  #countTests(analysis: Analysis, entry: FileEntry): number | null {
    if (entry.summary.broken) return null;
    if (hasNoTests(entry)) return 0;
    return analysis.file(entry.uri)?.derive(countTests) ?? null;
  }
}

/** Returns whether a file has no tests. Reads only the index entry, so that the file need not be parsed. */
const hasNoTests = ({ dialect, words }: FileEntry): boolean =>
  dialect === 'agent-skill' && !words.hasSamples && !words.hasRoutingCases;

/** Counts the tests in the file itself. Evals are in separate files. */
const countTests = (file: SkillFile): number => listTests(file).length + routingCases(file).length;

export function skillDetails(analysis: Analysis, uri: string, locate: Locate): SkillDetailsReply | undefined {
  const file = analysis.file(uri);
  if (!file?.isSkill) return undefined;
  const { name } = file.contract;
  const description = paragraphs(
    describeFile(analysis, file, nameOf(file)),
    describeNotLoaded(analysis, file),
    describeComposition(analysis, uri),
  );
  return { description: markup(description), nameRange: name ? locate.range(file, name.span) : null };
}

const nameOf = ({ summary, uri }: SkillFile): string => summary.name ?? nameFromUri(uri);

/** Names the target clients that do not load a `SKILL.md`; undefined if all load it. */
function describeNotLoaded(analysis: Analysis, file: SkillFile): Markdown | undefined {
  const refusing = targetRows(analysis, file).rows.filter(({ loaded }) => loaded.outcome === 'no');
  if (refusing.length === 0) return undefined;
  const names = listed(refusing.map(({ client }) => client.name));
  return trusted(`${names} ${refusing.length === 1 ? 'does' : 'do'} not load this skill.`);
}
