package fuel
import ("testing";"fmt";"syscall";"time")
func cpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func TestTmp(t *testing.T){
 e:=newEngine(t)
 for _,name:=range []string{"loops","backs","nestedloopsets","ifs","fills","grows","gotable","jumps"} {
  b:=bomb(name,120,12000)
  m,err:=decode(b,Limits{Complexity:1<<50},false); if err!=nil {fmt.Println(name,err);continue}
  out,err:=Rewrite(b,Limits{Complexity:1<<50}); if err!=nil{fmt.Println(name, err);continue}
  st:=cpu(); w:=time.Now(); c,err:=e.CompileModule(e.ctx,out); if err!=nil{fmt.Println(name, err);continue}
  c.Close(e.ctx)
  fmt.Printf("%-14s %8d -> %8d units %d  cpu %v wall %v\n",name,len(b),len(out),m.complex>>20, cpu()-st,time.Since(w))
 }
}
