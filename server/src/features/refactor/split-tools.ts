/** Adds `tools` to each approach: the tools that the approach or the text outside all approaches mentions. */
import { subtract } from '../../languages/markdown/spans.ts';
import { formatJson, insertEntry } from '../../languages/yaml/edit.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import type { Artifact } from '../../skill/body.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { isReadable, unedited, withEdits } from '../../skill/edited-file.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, nextLine, sliceOf, span, type TextEdit, touches } from '../../text.ts';
import type { Refactoring } from './refactoring.ts';

export const splitTools: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite({ file, selection }) {
    const { text, body, contract, frontmatter } = file;
    if (!isReadable(file) || !body) return undefined;
    const approaches = body.artifacts.filter(({ kind }) => kind === 'Approach');
    const key = findSkillEntry(frontmatter.tree.root, 'tools');
    const places = [...(key ? [key.span] : []), ...approaches.map(({ heading }) => heading.span)];
    if (!places.some((place) => touches(place, selection.start))) return undefined;
    const rest = subtract(
      [body.span],
      approaches.map((approach) => approach.span),
    );
    const shared = rest.map((place) => sliceOf(text, place)).join('\n');
    const names = [...new Set(contract.tools.map(({ name }) => name))];
    const edits = approaches.flatMap((approach) => {
      const own = sliceOf(text, approach.span);
      const used = names.filter((name) => mentions(own, name));
      const subset = names.filter((name) => used.includes(name) || mentions(shared, name));
      return used.length === 0 || subset.length === names.length ? [] : declare(file, approach, subset);
    });
    const result = withEdits(unedited(file), edits);
    return result && { title: 'Split `tools` by approach', result };
  },
};

/** Returns whether the text contains the name as a whole word. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(`${text[at - 1] ?? ' '}`) && !/[\w-]/.test(`${text[at + name.length] ?? ' '}`)) return true;
  }
  return false;
}

/** Returns the edits that declare the tools; none if the approach already declares its tools. */
function declare(file: SkillFile, approach: Artifact, names: readonly string[]): readonly TextEdit[] {
  const { text, metadata } = file;
  const tree = metadata.find(({ artifact }) => artifact === approach)?.tree;
  if (tree) {
    const isOpen = tree.root?.kind === 'map' && !tree.broken && !findEntry(tree.root, 'tools');
    return isOpen && tree.root?.kind === 'map' ? insertEntry(text, tree.root, 'tools', formatJson([...names])) : [];
  }
  const lineBreak = lineBreakOf(text);
  const at = nextLine(text, approach.heading.span.end, approach.span.end);
  const fence = ['```yaml artifact', `tools: ${formatJson([...names])}`, '```', ''].join(lineBreak);
  return [{ span: span(at, at), newText: fence }];
}
