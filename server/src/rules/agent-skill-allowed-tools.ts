import type { Draft } from '../finding.ts';
import { formatScalar, setScalar } from '../languages/yaml/edit.ts';
import { findEntry, stringOf, type YamlEntry, type YamlList, type YamlScalar } from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { readToolWords } from '../skill/tool-words.ts';
import { overlaps, span, type TextEdit } from '../text.ts';
import { findClientKeys, type KeyOfClient } from '../vocabulary/agent-skill-lookup.ts';
import { STANDARD } from './common/agent-skill/entries.ts';
import { draftOf, valueProblems } from './common/shape-problems.ts';
import { fixHere, type Rule } from './rule.ts';

/** A hint, because the clients that act on the key take the other forms too. */
export const agentSkillAllowedTools: Rule = {
  name: 'agent-skill-allowed-tools',
  severity: 'hint',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    const entry = findEntry(file.frontmatter.tree.root, 'allowed-tools');
    if (!entry) return;
    const { value } = entry;
    if (value.kind === 'list') yield* ofList(file, entry, value);
    else if (value.kind === 'scalar' && typeof value.value === 'string') yield* ofText(file, value, value.value);
    else
      for (const problem of valueProblems(file, 'agent-skill-allowed-tools')) {
        yield draftOf(file, { ...problem, message: `${problem.message} Separate the tools by blanks.` });
      }
  },
};

/** Not for tools with blanks within brackets, which the standard cannot separate clearly. */
function* ofText(file: SkillFile, node: YamlScalar, value: string): Iterable<Draft> {
  const { words, hasCommas, hasInnerBlanks } = readToolWords(value);
  if (!hasCommas || hasInnerBlanks || words.length === 0) return;
  yield {
    span: node.span,
    message: `The standard separates tools by blanks. Commas are understood by ${takers(({ commas }) => commas === true)}; another client may take all of this for one tool. Leave the commas out if others are to read it.`,
    // Not safe: a client may understand its own form only.
    fixes: fixHere(file, 'Separate by blanks', setScalar(file.text, node, words.join(' '))),
  };
}

function* ofList(file: SkillFile, entry: YamlEntry, list: YamlList): Iterable<Draft> {
  const tools = list.items.map((item) => stringOf(item)?.trim());
  if (tools.length === 0 || tools.some((tool) => tool && readToolWords(tool).words.length !== 1)) return;
  if (tools.some((tool) => tool && readToolWords(tool).hasInnerBlanks)) return;
  const edits = tools.every((tool) => tool) ? replaceList(file, entry, list, tools.join(' ')) : [];
  yield {
    span: list.span,
    message: `The standard has one text here, with blanks between the tools. A list is understood by ${takers(({ type }) => type === 'string-or-list')}; another client may ignore it. Write it as text if others are to read it.`,
    fixes: fixHere(file, 'Write it as text', edits),
  };
}

const takers = (takes: (key: KeyOfClient) => boolean): string =>
  listed(
    findClientKeys('allowed-tools')
      .filter(takes)
      .map(({ client }) => client),
  );

/** The items of a block move up to the line of their key; none where comments would be lost. */
function replaceList(file: SkillFile, { key }: YamlEntry, list: YamlList, words: string): readonly TextEdit[] {
  const { text, frontmatter } = file;
  const gap = /^\s*:\s*$/.exec(text.slice(key.span.end, list.span.start));
  const place = list.flow || !gap ? list.span : span(key.span.end, list.span.end);
  if ((!list.flow && !gap) || frontmatter.tree.comments.some((comment) => overlaps(comment.span, place))) return [];
  return [{ span: place, newText: list.flow ? formatScalar(words) : `: ${formatScalar(words)}` }];
}
