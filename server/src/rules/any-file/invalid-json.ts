import type { RelatedLocation } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf } from '../../text.ts';
import { isHooksFile } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { isHooksOfPlugin } from '../manifest/shape.ts';

/** Invalid JSON in a package or a manifest of a plugin. VS Code also reports invalid JSON in open documents. */
export const invalidJson: Rule = {
  name: 'invalid-json',
  severity: 'error',
  evidence: { kind: 'spec', source: 'RFC 8259' },
  dialects: ['package', 'plugin'],
  readsBroken: true,
  *check(file, analysis) {
    // Other programs have files with hooks, too.
    if (isHooksFile(file.uri) && !isHooksOfPlugin(file, analysis)) return;
    for (const { kind, span, message, first, fix } of file.frontmatter.tree.problems) {
      yield kind === 'duplicate-key'
        ? { span, message: duplicateKey(file, span), related: firstPlace(file, first) }
        : { span, message, fixes: fix ? fixHere(file, fix.title, fix.edits) : [] };
    }
  },
};

const duplicateKey = ({ text }: SkillFile, key: Span): string =>
  `Duplicate key \`${sliceOf(text, key).slice(0, 100).replace(/^"|"$/g, '')}\`. JSON parsers differ on which value they use. Remove one of the two.`;

const firstPlace = (file: SkillFile, first: Span | undefined): readonly RelatedLocation[] =>
  placesHere(file, first ? [{ span: first }] : [], 'The first one is here.');
