import type { Artifact } from '../skill/body.ts';
import type { Rule } from './rule.ts';

/** An artifact with nothing in it, or an example that lacks one of its sides. */
export const emptyArtifact: Rule = {
  name: 'empty-artifact',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Kinds"' },
  dialects: ['composer'],
  readsBroken: true,
  *check(file) {
    for (const artifact of file.body?.artifacts ?? []) {
      const message = lack(artifact);
      if (message) yield { span: artifact.heading.textSpan, message };
    }
  },
};

function lack({ kind, name, textSpan, template, example }: Artifact): string | undefined {
  const place = template?.span ?? textSpan;
  if (place.start >= place.end) return `\`${name}\` is empty, so it adds nothing to a prompt. Write it, or remove it.`;
  if (kind !== 'Example' || (example?.input && example.output)) return undefined;
  if (!example?.input && !example?.output) {
    return `\`${name}\` has neither an \`### Input\` nor an \`### Output\`, so it shows nothing.`;
  }
  return `\`${name}\` has no \`### ${example.input ? 'Output' : 'Input'}\`, so it shows only half of an exchange.`;
}
