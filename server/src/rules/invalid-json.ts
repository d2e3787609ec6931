import { placesHere, type Rule } from './rule.ts';

/** What is no JSON in a package. VS Code tells the same of documents that are open. */
export const invalidJson: Rule = {
  name: 'invalid-json',
  severity: 'error',
  evidence: { kind: 'spec', source: 'RFC 8259' },
  dialects: ['package'],
  readsBroken: true,
  checkedBy: ['VS Code'],
  *check(file) {
    for (const { kind, span, message, first } of file.frontmatter.tree.problems) {
      yield kind === 'duplicate-key'
        ? { span, message: TWICE, related: placesHere(file, first ? [{ span: first }] : [], 'It stands here first') }
        : { span, message };
    }
  },
};

const TWICE =
  'This key stands here a second time, and readers of JSON differ on which one counts. Remove one of the two.';
