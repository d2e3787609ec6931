/** Completion of artifact kinds and missing names after `## `, and of the parts of an example after `### `. */

import type { SchemaField } from '../../languages/schema/schema.ts';
import { lineStart, type Span, span, touches } from '../../text.ts';
import { type ArtifactKind, findKind } from '../../vocabulary/artifact-keys.ts';
import { type Snippet, snippetsFor } from '../../vocabulary/snippets.ts';
import { type Cursor, Kind, literal, type Offer, type Proposal, Rank } from './proposal.ts';
import { isProse } from './references.ts';
import { snippetProposal } from './snippets.ts';

const HEADING = /^( {0,3})(##|###)[ \t]+([^\r\n]*)$/;

export function offerHeading(cursor: Cursor): Offer | undefined {
  const { file, offset } = cursor;
  const { text, body } = file;
  const start = lineStart(text, offset);
  if (offset - start > 200 || !body) return undefined;
  const match = HEADING.exec(text.slice(start, offset));
  if (!match || !isProse(body, text, offset)) return undefined;
  const [, , marks, written = ''] = match;
  const end = offset + (/^[^\r\n]*/.exec(text.slice(offset, offset + 500))?.[0].trimEnd().length ?? 0);
  if (marks === '###') return exampleParts(cursor, offset - written.length, end);
  const colon = written.indexOf(':');
  if (colon < 0) return { span: span(offset - written.length, end), proposals: artifactKinds(text, end) };
  const kind = findKind(written.slice(0, colon).trim());
  const name = written.slice(colon + 1).trimStart();
  const before = written.endsWith(':') ? ' ' : '';
  return kind && { span: span(offset - name.length, end), before, proposals: missingNames(cursor, kind) };
}

/** Returns each kind with and without its frequent metadata. If text already follows, returns only the headings. */
function artifactKinds(text: string, end: number): Proposal[] {
  const hasBody = /^\s*(?!#{1,2}[ \t])\S/.test(text.slice(end, end + 2_000));
  const isPlain = ({ label, of }: Snippet): boolean => label === of;
  return snippetsFor('heading')
    .filter((snippet) => !hasBody || isPlain(snippet))
    .map((snippet) => ({
      ...snippetProposal(snippet),
      ...(hasBody ? { insert: snippet.body.split('\n', 1)[0] } : {}),
      kind: Kind.Class,
      rank: isPlain(snippet) ? Rank.known : Rank.rest,
    }));
}

/** Returns the names that the file refers to but no artifact has. */
function missingNames({ file }: Cursor, kind: ArtifactKind): Proposal[] {
  const { body, contract, templates } = file;
  const present = new Set((body?.artifacts ?? []).map(({ name }) => name));
  const referenced = (body?.references ?? []).flatMap((reference) =>
    reference.kind === 'artifact' ? [[reference.name, '#artifact'] as const] : [],
  );
  const included = templates.flatMap(({ source }) =>
    source.scopes.references.flatMap(({ names }) => names.map(({ name }) => [name, 'include'] as const)),
  );
  const framing = contract.framing ? [[contract.framing.name, 'framing'] as const] : [];
  const names = kind === 'PromptTemplate' ? [...framing, ...included, ...referenced] : referenced;
  return names
    .filter(([name]) => !present.has(name))
    .map(([label, by]) => ({ label, kind: Kind.File, detail: `used by ${by}` }));
}

/** Offers the headings `Input` and `Output` if they are missing, with the fields that the contract requires. */
function exampleParts({ file, offset }: Cursor, start: number, end: number): Offer | undefined {
  const artifact = file.body?.artifacts.find((candidate) => touches(candidate.span, offset));
  if (artifact?.kind !== 'Example' || offset <= artifact.heading.span.end) return undefined;
  const { input, output } = file.contract;
  const { example } = artifact;
  const hasBody = /^\s*(?!#{1,3}[ \t])\S/.test(file.text.slice(end, end + 2_000));
  const part = (label: string, heading: Span | undefined, fields: readonly SchemaField[] = []): readonly Proposal[] => {
    if (heading && !touches(heading, offset)) return [];
    const snippet = { insert: `${label}\n\n${fence(fields)}`, isSnippet: true };
    return [{ label, kind: Kind.Struct, ...(hasBody ? {} : snippet) }];
  };
  const proposals = [
    ...part('Input', example?.input?.heading.span, input?.schema.fields),
    ...part('Output', example?.output?.heading.span, output?.schema.fields),
  ];
  return { span: span(start, end), proposals };
}

function fence(fields: readonly SchemaField[]): string {
  const required = fields.filter((field) => field.required);
  if (fields.length === 0) return '$0';
  const lines = required.map(({ name }, i) => `${literal(name)}: $${i + 1}`);
  return `\`\`\`yaml\n${lines.length > 0 ? lines.join('\n') : '$1'}\n\`\`\`\n$0`;
}
