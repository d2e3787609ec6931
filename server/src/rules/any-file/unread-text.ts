import { MAX_FILES, MAX_LENGTH } from '../../abilities/folder.ts';
import type { Draft } from '../../finding.ts';
import { placesHere } from '../../finding.ts';
import { formatNumber } from '../../format-amounts.ts';
import { trimSpan } from '../../languages/markdown/spans.ts';
import type { MarkdownFile } from '../../skill/markdown-file.ts';
import { MAX_PARSED, referencedFiles, type UnreadFile, unreadFiles } from '../../skill-folder/referenced-files.ts';
import { lineAt, type Span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** The maximum number of related locations. */
const MAX_LISTED = 5;

/** Reports text that was not read, so that the other rules could not check it. */
export const unreadText: Rule = {
  name: 'unread-text',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer', 'agent-skill'],
  readsBroken: true,
  *check(file, analysis) {
    const [first, ...others] = unreadParts(file);
    if (first) {
      yield {
        span: first,
        message: `${partsOf(file, first, others.length)} not read, because the Markdown is too complex. Simplify it, or split it with empty lines.`,
        related: placesHere(
          file,
          others.slice(0, MAX_LISTED).map((span) => ({ span })),
          'This part was not read either',
        ),
      };
    }
    const folder = file.dialect === 'agent-skill' ? analysis.folder(file.uri) : undefined;
    if (!folder) return;
    for (const unread of unreadFiles(file, folder)) yield unreadDraft(unread);
    for (const { file: linked, path, via } of referencedFiles(file, folder)) {
      const [part, ...more] = unreadParts(linked);
      if (!part) continue;
      yield {
        span: via,
        severity: 'hint',
        message: `${partsOf(linked, part, more.length, ` of \`${path}\``)} not read, because the Markdown is too complex. Simplify it, or split it with empty lines.`,
        related: [{ uri: linked.uri, span: part, message: 'This part was not read' }],
      };
    }
  },
};

/** Returns the parts of a body in which only headings and fences were found, without white space at their ends. */
const unreadParts = ({ scanned, text }: MarkdownFile): readonly Span[] =>
  scanned.map((place) => trimSpan(text, place)).filter(({ start, end }) => start < end);

function partsOf({ lines }: MarkdownFile, { start, end }: Span, others: number, place = ''): string {
  const [first, last] = [lineAt(lines, start) + 1, lineAt(lines, end - 1) + 1];
  const named = first === last ? `Line ${first}${place}` : `Lines ${first} to ${last}${place}`;
  if (others > 0) return `${named} and ${formatNumber(others)} other ${others === 1 ? 'part' : 'parts'} were`;
  return `${named} ${first === last ? 'was' : 'were'}`;
}

function unreadDraft({ path, via, reason }: UnreadFile): Draft {
  const reasons = {
    'many-files': `the folder has more than ${formatNumber(MAX_FILES)} files. Remove files that the skill does not need.`,
    'too-large': `it has more than ${formatNumber(MAX_LENGTH)} characters. Split it.`,
    total: `the linked files have more than ${formatNumber(MAX_PARSED)} characters. Shorten them.`,
  };
  // The finding is only a hint, because the link itself is valid.
  return { span: via, severity: 'hint', message: `\`${path}\` was not read: ${reasons[reason]}` };
}
