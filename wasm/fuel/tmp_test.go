package fuel
import ("testing";"fmt";"syscall";"time")
func cpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func TestTmp(t *testing.T){
 e:=newEngine(t)
 st:=cpu(); w:=time.Now(); _,err:=e.CompileModule(e.ctx,reactor(t)); must(t,err)
 fmt.Println("go reactor plain cpu",cpu()-st,time.Since(w))
 for _,x:=range []struct{n string;f int}{{"liveblocks",1},{"ifs",1},{"loops",8192},{"backs",1},{"nestedloops",1},{"fills",1},{"live",1},{"jumps",64},{"loads",64}} {
  b:=largestBomb(x.n,x.f)
  out,err:=Rewrite(b,Limits{}); if err!=nil{fmt.Println(x.n, err);continue}
  st=cpu(); w:=time.Now(); c,err:=e.CompileModule(e.ctx,out); if err!=nil{fmt.Println(err);continue}
  c.Close(e.ctx)
  fmt.Printf("%-14s %d %8d -> %8d cpu %v wall %v\n",x.n,x.f,len(b),len(out), cpu()-st,time.Since(w))
 }
}
