import { findInvisible, type InvisibleText } from '../../abilities/invisible.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { type Draft, fixHere } from '../../finding.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { resolvePath } from '../../skill-folder/links.ts';
import { isScriptFile } from '../../skill-folder/script-calls.ts';
import { span } from '../../text.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';

export const invisibleText: Rule = {
  name: 'invisible-text',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'Unicode Technical Report 36, https://www.unicode.org/reports/tr36/' },
  dialects: ['agent-skill'],
  readsBroken: true,
  *check(file, analysis) {
    yield* inScripts(file, analysis);
    for (const found of findInvisible(file.text)) {
      yield {
        span: found.span,
        message: `${describe(found)} Remove it if it is not intended.`,
        fixes: fixHere(file, 'Remove the invisible characters', [{ span: found.span, newText: '' }]),
      };
    }
  },
};

/** Reports scripts of the skill whose code is displayed in a different order, at their first mention or at the name. */
function* inScripts(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  for (const script of analysis.folder(file.uri)?.files.filter(isScriptFile) ?? []) {
    const places = findInvisible(script.text ?? '').filter(({ kind }) => kind === 'bidirectional');
    if (places.length === 0) continue;
    const at = file.text.indexOf(script.path, file.frontmatter.bodyStart);
    const name = findEntry(file.frontmatter.tree.root, 'name')?.value.span;
    const uri = resolvePath(folderOf(file.uri), script.path);
    yield {
      span: at < 0 ? (name ?? span(0, 0)) : span(at, at + script.path.length),
      message: `\`${script.path}\` contains bidirectional control characters, so its code is displayed in a different order from the one that runs. Remove them.`,
      related: places.map(({ span: place }) => ({ uri, span: place, message: 'Bidirectional control character' })),
    };
  }
}

/** The length of the longest text that a message shows, in UTF-16 code units. */
const MAX_SPELLED = 100;

function describe({ kind, spells }: InvisibleText): string {
  if (kind === 'tag') {
    const text = spells === '' ? '' : `: \`${spells.slice(0, MAX_SPELLED).replaceAll('`', "'")}\``;
    return `Invisible text in tag characters, which a model may read${text}.`;
  }
  if (kind === 'bidirectional')
    return 'Bidirectional control character: the text is displayed in a different order from the one that a model reads.';
  if (kind === 'selector') return 'Invisible sequence of variation selectors, which can hide text.';
  return 'Invisible zero-width character, which breaks searches and copied commands.';
}
