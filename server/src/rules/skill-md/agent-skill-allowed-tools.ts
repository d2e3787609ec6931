import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { findValue, type YamlScalar } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { readToolWords } from '../../skill/tool-words.ts';
import { lineBreakOf, sliceOf } from '../../text.ts';
import { draftOf, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';
import { malformedPatterns } from './tools.ts';

/**
 * A value in a form that no client documents: lists and names separated by spaces or commas are documented, each with a
 * pattern in brackets.
 */
export const agentSkillAllowedTools: Rule = {
  name: 'agent-skill-allowed-tools',
  severity: 'hint',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill', 'client-file'],
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file, analysis) {
    yield* malformedPatterns(file, analysis);
    if (file.dialect !== 'agent-skill') return;
    const value = findValue(file.frontmatter.tree.root, 'allowed-tools');
    if (!value || value.kind === 'list') return;
    if (value.kind === 'scalar' && typeof value.value === 'string') {
      if (value.style === 'literal') yield* checkBlock(file, value, value.value);
      return;
    }
    for (const problem of valueProblems(file, 'agent-skill-allowed-tools')) {
      const draft = draftOf(file, { ...problem, message: `${problem.message} Separate the tools with spaces.` });
      yield { ...draft, about: ['allowed-tools'] };
    }
  },
};

/** Reports a block scalar of several lines, because its line breaks are part of the text. */
function* checkBlock(file: SkillFile, { span }: YamlScalar, value: string): Iterable<Draft> {
  const lines = value.split('\n').map((line) => line.trim().replace(/,$/, ''));
  const tools = lines.filter((line) => line !== '').map((line) => line.replace(/^-\s+/, ''));
  if (tools.length < 2) return;
  const isList = lines.some((line) => line.startsWith('- '));
  const separator = tools.some((tool) => readToolWords(tool).hasInnerBlanks) ? ', ' : ' ';
  const lineEnd = /\r?\n$/.test(sliceOf(file.text, span)) ? lineBreakOf(file.text) : '';
  const newText = `${formatScalar(tools.join(separator))}${lineEnd}`;
  yield {
    ...(isList ? { severity: 'warning' as const } : {}),
    span,
    message: isList
      ? 'The dashes are part of the tool names, because `|` begins a string and not a list. Remove the `|`, or write the tools on one line.'
      : 'Line breaks between tools are not documented for any client, so a client may read this text as one tool. Write the tools on one line.',
    fixes: fixHere(file, 'Write the tools on one line', [{ span, newText }]),
  };
}
