import type { Artifact } from '../../skill/body.ts';
import type { Rule } from '../engine/rule.ts';

/** An artifact without content, or an example without input or output. */
export const emptyArtifact: Rule = {
  name: 'empty-artifact',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Kinds"' },
  dialects: ['composer'],
  readsBroken: true,
  *check(file) {
    // `unknown-artifact-kind` reports a misspelt part.
    const misspelt = new Set(file.body?.nearParts.map(({ artifact }) => artifact));
    for (const artifact of file.body?.artifacts ?? []) {
      const message = misspelt.has(artifact) ? undefined : describeLack(artifact);
      if (message) yield { span: artifact.heading.textSpan, message };
    }
  },
};

function describeLack({ kind, name, textSpan, template, example }: Artifact): string | undefined {
  const place = template?.span ?? textSpan;
  if (place.start >= place.end)
    return `\`${name}\` is empty, so it adds nothing to a prompt. Add its text, or remove it.`;
  if (kind !== 'Example' || (example?.input && example.output)) return undefined;
  if (!example?.input && !example?.output) {
    return `\`${name}\` has no \`### Input\` and no \`### Output\`. Add both.`;
  }
  return `\`${name}\` has no \`### ${example.input ? 'Output' : 'Input'}\`. Add it.`;
}
