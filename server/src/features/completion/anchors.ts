/** The headings that a link of a `SKILL.md` may lead to, behind `#`. */
import { span } from '../../text.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import { anchorsIn } from '../../workspace/headings.ts';
import { resolvePath } from '../../workspace/links.ts';
import { type Cursor, Kind, type Offer, Rank } from './proposal.ts';

const MAX_LENGTH = 400;

/** A link's target up to the cursor, inline or behind `[label]:`: its path, and what of the anchor is typed. */
const TARGET = /(?:\]\(\s{0,9}<?|^ {0,3}\[[^\]]{1,99}\]:\s{1,9}<?)([^\s()<>#]*)#([^\s()<>#]*)$/;

export function offerAnchor({ analysis, file, offset }: Cursor): Offer | undefined {
  if (file.dialect !== 'agent-skill' || offset < file.frontmatter.bodyStart) return undefined;
  const line = /[^\r\n]*$/.exec(file.text.slice(Math.max(0, offset - MAX_LENGTH), offset))?.[0] ?? '';
  const [, path = '', typed = ''] = TARGET.exec(line) ?? [];
  if (!TARGET.test(line) || /^[a-z][a-z0-9+.-]*:/i.test(path)) return undefined;
  const uri = resolvePath(folderOf(file.uri), decoded(path));
  const target = path === '' ? file : (analysis.file(uri) ?? analysis.folder(file.uri)?.findMarkdown(uri));
  const rest = /^[^\s()<>"'`]*/.exec(file.text.slice(offset, offset + MAX_LENGTH))?.[0].length ?? 0;
  const headings = target ? anchorsIn(target).headings : [];
  return {
    span: span(offset - typed.length, offset + rest),
    proposals: headings
      .filter(({ anchor }) => anchor !== '')
      .map(({ anchor, heading }) => ({
        label: anchor,
        kind: Kind.Reference,
        detail: `${'#'.repeat(heading.level)} ${heading.text}`,
        rank: Rank.known,
      })),
  };
}
