import { replaceName } from '../../analysis/name-fixes.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a reference or a `framing` that names an unknown artifact. */
export const unknownArtifact: Rule = {
  name: 'unknown-artifact',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 5' },
  dialects: ['composer'],
  prevents: ['template'],
  *check(file) {
    const { body, contract } = file;
    if (!body || body.scanned.length > 0) return;
    const names = body.artifacts.map(({ name }) => name);
    const templates = body.artifacts.filter(({ kind }) => kind === 'PromptTemplate').map(({ name }) => name);
    const { framing } = contract;
    if (framing && !templates.includes(framing.name) && isText(framing.name)) {
      yield {
        span: framing.span,
        message:
          '`framing` must be the name of a PromptTemplate. Move its text into a section `## PromptTemplate: …`, or remove the key.',
      };
    } else if (framing && !templates.includes(framing.name)) {
      const near = nearestNames(framing.name, templates);
      const sole = near.length === 0 && templates.length === 1 ? templates : near;
      const advice =
        templates.length === 0 ? ` Add a section \`## PromptTemplate: ${framing.name}\`.` : didYouMean(sole);
      yield {
        span: framing.span,
        message: `Unknown PromptTemplate \`${framing.name}\`.${advice}`,
        fixes: replaceName(file, [framing.span], sole),
      };
    }
    for (const { kind, name, span, nameSpan } of body.references) {
      if (kind !== 'artifact' || names.includes(name)) continue;
      const near = nearestNames(name, names);
      yield {
        span,
        message: `Unknown artifact \`${name}\`.${didYouMean(near)}`,
        fixes: replaceName(file, [nameSpan], near),
      };
    }
  },
};

/** Returns whether the value of `framing` is a text instead of the name of a template. */
const isText = (framing: string): boolean =>
  /[\r\n]|\{[{%]/.test(framing) || framing.trim() === '' || framing.length > 200;
