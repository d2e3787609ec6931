/** Adds an Example with the input of a sample; the author writes the output. */
import { fenceFor } from '../../languages/markdown/code-fences.ts';
import { canonical, printYaml } from '../../languages/schema/schema.ts';
import { jsonOf, type YamlMap } from '../../languages/yaml/node.ts';
import { type EditedFile, insertSection, isReadable, unedited, withEdits } from '../../skill/edited-file.ts';
import { readInvocation } from '../../skill/package-samples.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, lineStart, sliceOf, span, touches } from '../../text.ts';
import type { Refactoring } from './refactoring.ts';

export const sampleToExample: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite({ file, selection }) {
    const sample = file.contract.samples.find(({ span: key, value }) =>
      touches(span(key.start, Math.max(key.end, value.span.end)), selection.start),
    );
    if (!sample || !isReadable(file)) return undefined;
    const { name, value, parameters } = sample;
    const { request } = readInvocation(value);
    const title = `Add an example from the sample \`${name}\``;
    const inputs = parameters?.kind === 'map' && parameters.entries.length > 0 ? asData(file, parameters) : [request];
    for (const input of inputs) {
      if (input === undefined || input.trim() === '') continue;
      const result = withExample(file, name, input);
      const made = result?.file.examples.find(({ artifact }) => artifact.name === name && artifact.explicitName);
      const part = result?.file.body?.artifacts.find((one) => one.kind === 'Example' && one.name === name)?.example;
      const isData = parameters && made && canonical(jsonOf(made.tree.root)) === canonical(jsonOf(parameters));
      const isText = part?.input && !part.input.fence && sliceOf(result?.file.text ?? '', part.input.span) === input;
      if (result && part?.output && (isData || isText)) return { title, result };
    }
    return undefined;
  },
};

/**
 * Returns two candidates for a YAML fence: the parameters as written, with comments, and the parameters printed from
 * their values.
 */
function asData({ text }: SkillFile, parameters: YamlMap): readonly string[] {
  const column = parameters.span.start - lineStart(text, parameters.span.start);
  const written = sliceOf(text, parameters.span).replace(new RegExp(`(\\r\\n|\\n|\\r) {0,${column}}`, 'g'), '$1');
  const lineBreak = lineBreakOf(text);
  const printed = printYaml(jsonOf(parameters)).replaceAll('\n', lineBreak);
  return (parameters.flow ? [printed] : [written, printed]).map((yaml) => {
    const fence = fenceFor(yaml);
    return `${fence}yaml${lineBreak}${yaml}${lineBreak}${fence}`;
  });
}

/** Adds the example after the last example or at the end; undefined if an example already has the name. */
function withExample(file: SkillFile, name: string, input: string): EditedFile | undefined {
  const { text, body } = file;
  const examples = body?.artifacts.filter(({ kind }) => kind === 'Example') ?? [];
  if (examples.some((example) => example.name === name)) return undefined;
  const section = [`## Example: ${name}`, '### Input', input, '### Output'].join(lineBreakOf(text).repeat(2));
  return withEdits(unedited(file), [insertSection(text, examples.at(-1)?.span.end ?? text.length, section)]);
}
