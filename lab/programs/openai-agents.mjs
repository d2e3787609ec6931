// One request with the OpenAI Agents SDK: WORKSPACE MODEL_URL PROMPT
import { OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';
import { filesystem, SandboxAgent, shell, skills } from '@openai/agents/sandbox';
import { localDirLazySkillSource, UnixLocalSandboxClient } from '@openai/agents/sandbox/local';

const [baseDir, url, prompt] = process.argv.slice(2);
setTracingDisabled(true);
process.chdir(baseDir);
const lazyFrom = localDirLazySkillSource({ src: '.agents/skills', baseDir });
const capabilities = [shell(), filesystem(), skills({ lazyFrom })];
const agent = new SandboxAgent({ name: 'lab', instructions: 'Help.', model: 'lab', capabilities });
const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1` });
const runner = new Runner({ modelProvider, tracingDisabled: true });
await runner.run(agent, prompt, { sandbox: { client: new UnixLocalSandboxClient() }, maxTurns: 100 });
