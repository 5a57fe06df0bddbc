package fuel
import ("testing";"fmt";"syscall";"time")
func cpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func TestTmp(t *testing.T){
 e:=newEngine(t)
 for _,name:=range []string{"fills","grows","copies"} { for _,sz:=range []int{4<<10,8<<10,16<<10} {
  b:=bomb(name,sz,1)
  m,err:=decode(b,Limits{Complexity:1<<50},false); if err!=nil {fmt.Println(name,err);continue}
  out,err:=Rewrite(b,Limits{Complexity:1<<50}); if err!=nil{fmt.Println(name, err);continue}
  st:=cpu(); c,err:=e.CompileModule(e.ctx,b); if err!=nil{fmt.Println(name, err);continue}
  c0:=cpu()-st
  st=cpu(); w:=time.Now(); c,err=e.CompileModule(e.ctx,out); if err!=nil{fmt.Println(name, err);continue}
  c.Close(e.ctx)
  fmt.Printf("%-14s %8d -> %8d units %d plain %v cpu %v wall %v\n",name,len(b),len(out),m.complex>>10,c0, cpu()-st,time.Since(w))
 } }
}
