import net from 'node:net'; import { spawn } from 'node:child_process'; import { readFileSync, readdirSync } from 'node:fs';
const N=Number(process.argv[2]??500), mode=process.argv[3]??'idle';
const child=spawn(process.execPath,['bin/fanfare.mjs','start'],{env:{...process.env,PORT:'18099',FANFARE_DATA:'/tmp/fix/revb-x/d/'+Date.now()},stdio:['ignore','pipe','inherit']});
let out='';const url=18099;child.stdout.on('data',c=>out+=c);await new Promise(r=>setTimeout(r,4000));
const rss=()=>Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`,'utf8'))[1])/1024;
await new Promise(r=>setTimeout(r,3000));console.log(out);console.log('rss before',rss().toFixed(0));
const socks=[];const open=(text,wait=true)=>new Promise((r,j)=>{const s=net.connect(url,'127.0.0.1',()=>{s.write(text)});s.on('error',()=>{});let b='';s.on('data',c=>{b+=c;s.last=b.slice(0,200);r(s)});if(!wait)setTimeout(()=>r(s),5);socks.push(s)});
const G=`GET /healthz HTTP/1.1\r\nHost: localhost:${url}\r\n\r\n`;
if(mode==='idle')for(let i=0;i<N;i+=50)await Promise.all(Array.from({length:Math.min(50,N-i)},()=>open(G)));
if(mode==='page')for(let i=0;i<N;i+=20)await Promise.all(Array.from({length:Math.min(20,N-i)},()=>open(G.replace('/healthz','/'))));
if(mode==='stream')for(let i=0;i<N;i++){const s=await open(G.replace('/healthz','/api/events'));if(i==0)console.log(s.last.split('\r\n')[0])}
if(mode==='half')for(let i=0;i<N;i++)await open('POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc',false);
if(mode==='halfhead')for(let i=0;i<N;i++)await open('GET /healthz HTTP/1.1\r\nHost:',false);
if(mode==='mix'){for(let i=0;i<N;i++){await open(G);await open(G.replace('/healthz','/api/events'));await open('GET /he',false);await open('',false);await open('POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc',false)}}
console.log(mode,N,'rss after',rss().toFixed(0),'fds',readdirSync(`/proc/${child.pid}/fd`).length);
const alive=socks.filter(s=>!s.destroyed).length;console.log('alive',alive);
const t=performance.now();child.kill('SIGTERM');const [code,sig]=await new Promise(r=>child.on('exit',(c,s)=>r([c,s])));console.log('ended in',(performance.now()-t).toFixed(0),'ms',code,sig);
process.exit();
