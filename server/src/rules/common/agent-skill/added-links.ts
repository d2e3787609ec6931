/** The edit that adds links to files: below the last item of a list that links to others, else at the end. */
import type { SkillFile } from '../../../skill/skill-file.ts';
import { lineAt, lineBreakOf, lineEnd, span, type TextEdit } from '../../../text.ts';
import { fileNameOf } from '../../../vocabulary/dialect.ts';
import { linkTargets, resolvePath } from '../../../workspace/links.ts';
import type { SkillFolder } from '../../../workspace/skill-folder.ts';

export function addedLinks(file: SkillFile, folder: SkillFolder, paths: readonly string[]): TextEdit {
  const { text, lines } = file;
  const items = linkTargets(file).flatMap(({ uri, span: { start } }) => {
    const line = lineAt(lines, start);
    const [, marker] = /^(\s{0,8}[-*+] )/.exec(text.slice(lines[line], start)) ?? [];
    return folder.has(uri) && marker !== undefined ? [{ end: lineEnd(text, lines, line), marker }] : [];
  });
  const newline = lineBreakOf(text);
  const linked = (marker: string) => paths.map((path) => `${marker}${linkTo(folder, path)}`).join(newline);
  const last = items.at(-1);
  if (last) return { span: span(last.end, last.end), newText: newline + linked(last.marker) };
  const end = text.trimEnd().length;
  return { span: span(end, text.length), newText: newline + newline + linked('- ') + newline };
}

function linkTo(folder: SkillFolder, path: string): string {
  const address = path.replace(/[\s()<>%?#]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const title = folder.findMarkdown(resolvePath(folder.uri, path))?.body?.headings[0]?.text.trim() ?? '';
  const isPlain = /^[\p{L}\p{N} ,.:'’&()/–—-]{1,80}$/u.test(title);
  return `[${isPlain ? title : fileNameOf(path).replace(/[[\]\\`<>*]/g, '')}](${address})`;
}
